package io.knabla.storage.s3.client;

import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.http.auth.aws.scheme.AwsV4AuthScheme;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignRequest;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignedRequest;
import software.amazon.awssdk.http.auth.spi.signer.SignRequest;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;
import software.amazon.awssdk.identity.spi.IdentityProviders;

/**
 * Signature version 4 as the SDK makes it, but a body whose checksum already stands in a signed header is not hashed
 * once more: over plain HTTP the SDK would read all of it for a SHA-256, which costs 25 times the CRC-32. Over HTTPS it
 * does the same as here, {@code UNSIGNED-PAYLOAD}.
 */
final class UnsignedBodies implements AwsV4AuthScheme {
    private static final String CHECKSUM = "x-amz-checksum-";

    private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();

    @Override
    public String schemeId() {
        return SCHEME_ID;
    }

    @Override
    public IdentityProvider<AwsCredentialsIdentity> identityProvider(IdentityProviders providers) {
        return providers.identityProvider(AwsCredentialsIdentity.class);
    }

    @Override
    public AwsV4HttpSigner signer() {
        return new AwsV4HttpSigner() {
            @Override
            public SignedRequest sign(SignRequest<? extends AwsCredentialsIdentity> request) {
                return UnsignedBodies.this.sign(request);
            }

            @Override
            public CompletableFuture<AsyncSignedRequest> signAsync(
                    AsyncSignRequest<? extends AwsCredentialsIdentity> request) {
                return signer.signAsync(request);
            }
        };
    }

    private SignedRequest sign(SignRequest<? extends AwsCredentialsIdentity> request) {
        boolean checked = request.request().headers().keySet().stream()
                .anyMatch(name -> name.toLowerCase(java.util.Locale.ROOT).startsWith(CHECKSUM));
        if (!checked) {
            return signer.sign(request);
        }
        // The SDK's signer insists on hashing a body that it sees, so it does not see it.
        SignRequest<? extends AwsCredentialsIdentity> bare =
                request.copy(sign -> sign.payload(null).putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, false));
        SignedRequest signed = signer.sign(bare);
        return SignedRequest.builder()
                .request(signed.request())
                .payload(request.payload().orElse(null))
                .build();
    }
}
