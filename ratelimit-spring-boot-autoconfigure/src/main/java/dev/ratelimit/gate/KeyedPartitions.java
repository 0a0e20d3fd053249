package dev.ratelimit.gate;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import dev.ratelimit.engine.AppliedRule;

/**
 * The first 12 bytes of HMAC-SHA-256 over the subject.
 */
final class KeyedPartitions implements PartitionKeys {

	private static final String ALGORITHM = "HmacSHA256";

	private static final int BYTES = 12;

	/** Nothing else that is made with the secret begins like this. */
	private static final byte[] PURPOSE = "partition:".getBytes(StandardCharsets.UTF_8);

	private final SecretKeySpec secret;

	KeyedPartitions(String secret) {
		this.secret = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM);
	}

	@Override
	public Map<String, String> of(List<AppliedRule> uses) {
		Map<String, String> keys = new HashMap<>();
		uses.forEach((use) -> keys.put(use.rule().rule().id(), key(use.subject())));
		return keys;
	}

	private String key(String subject) {
		try {
			Mac mac = Mac.getInstance(ALGORITHM);
			mac.init(this.secret);
			mac.update(PURPOSE);
			byte[] hash = mac.doFinal(subject.getBytes(StandardCharsets.UTF_8));
			return ":" + Base64.getEncoder().encodeToString(Arrays.copyOf(hash, BYTES)) + ":";
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("every Java platform has " + ALGORITHM, ex);
		}
	}

}
