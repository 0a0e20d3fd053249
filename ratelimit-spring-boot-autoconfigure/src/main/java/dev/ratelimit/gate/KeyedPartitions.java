package dev.ratelimit.gate;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.hash.SecretHash;

/**
 * The first 12 bytes of HMAC-SHA-256 over the subject.
 */
final class KeyedPartitions implements PartitionKeys {

	private static final int SUFFIX_BYTES = 12;

	private final SecretHash hash;

	KeyedPartitions(String secret) {
		this.hash = new SecretHash(secret.getBytes(StandardCharsets.UTF_8), "partition:");
	}

	@Override
	public Map<String, String> of(List<AppliedRule> uses) {
		Map<String, String> keys = new HashMap<>();
		uses.forEach((use) -> keys.put(use.rule().rule().id(), key(use.subject())));
		return keys;
	}

	private String key(String subject) {
		return ":" + Base64.getEncoder().encodeToString(Arrays.copyOf(this.hash.of(subject), SUFFIX_BYTES)) + ":";
	}

}
