package io.knabla.controller.cost.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cost.query.BillingAccount.Source;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BillingAccountTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            # setting | AWS   | role                                        | id           | source
            acme      | true  | arn:aws:iam::111122223333:role/controller   | acme         | SETTING
            ' acme '  | false | -                                           | acme         | SETTING
            ' '       | true  | arn:aws-cn:iam::111122223333:role/a/b       | 111122223333 | AWS_ROLE
            -         | false | arn:aws:iam::111122223333:role/controller   | s3://b/p     | STORE
            -         | true  | arn:aws:iam::aws:role/controller            | s3://b/p     | STORE
            -         | true  | -                                           | s3://b/p     | STORE
            """)
    void choosesTheAccount(String setting, boolean aws, String role, String id, Source source) {
        BillingAccount account =
                BillingAccount.of(Optional.ofNullable(setting), aws, Optional.ofNullable(role), "s3://b/p");

        assertThat(account).isEqualTo(new BillingAccount(id, source));
        assertThat(account.displayName().isPresent()).isEqualTo(source == Source.STORE);
    }
}
