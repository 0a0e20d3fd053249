package dev.ratelimit.hash;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Internal: HMAC-SHA-256 of texts, with a secret that is used for several purposes.
 * Thread-safe.
 */
public final class SecretHash {

	private static final String ALGORITHM = "HmacSHA256";

	private final SecretKeySpec secret;

	private final byte[] purpose;

	/**
	 * Create a hash.
	 * @param secret the secret, not empty
	 * @param purpose the prefix of each hashed text, so that equal texts have different
	 * hashes for different purposes; may be empty
	 */
	public SecretHash(byte[] secret, String purpose) {
		this.secret = new SecretKeySpec(secret, ALGORITHM);
		this.purpose = purpose.getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Hash a text.
	 * @param text the text
	 * @return 32 bytes
	 */
	public byte[] of(String text) {
		return start().doFinal(text.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Start to hash a text of several parts.
	 * @return a hash to update with the parts
	 */
	public Mac start() {
		try {
			Mac mac = Mac.getInstance(ALGORITHM);
			mac.init(this.secret);
			mac.update(this.purpose);
			return mac;
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("every Java platform has " + ALGORITHM, ex);
		}
	}

}
