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
 * Signs requests with AWS Signature Version 4, but not a body with a checksum in a signed header. Such a body is sent
 * as {@code UNSIGNED-PAYLOAD}, as the SDK does over HTTPS. Over plain HTTP the SDK would hash the body with SHA-256,
 * which costs 25 times the CRC-32.
 */
final class UnsignedPayloadAuthScheme implements AwsV4AuthScheme {
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
                return UnsignedPayloadAuthScheme.this.sign(request);
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
        // The signer of the SDK hashes every body it gets, so it gets none.
        SignRequest<? extends AwsCredentialsIdentity> bare =
                request.copy(sign -> sign.payload(null).putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, false));
        SignedRequest signed = signer.sign(bare);
        return SignedRequest.builder()
                .request(signed.request())
                .payload(request.payload().orElse(null))
                .build();
    }
}
