package dev.ratelimit.engine;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

import javax.crypto.Mac;

import dev.ratelimit.hash.SecretHash;
import dev.ratelimit.store.ReplayMarker;

/**
 * Names of replay markers: a keyed hash of the subjects that are charged, their costs,
 * the operation, and the idempotency key. The same key has a different name for another
 * client, operation, or cost. The name does not reveal the key.
 */
final class MarkerNames {

	private final SecretHash hash;

	private final IdempotencySettings settings;

	MarkerNames(String secret, IdempotencySettings settings) {
		this.hash = new SecretHash(secret.getBytes(StandardCharsets.UTF_8), "");
		this.settings = settings;
	}

	Optional<ReplayMarker> marker(List<AppliedRule> uses, RetryKey retry) {
		Mac mac = this.hash.start();
		String owner = "";
		for (AppliedRule use : uses) {
			if (use.rule().rule().reaction().idempotency() && !use.exempt()) {
				owner = (owner.isEmpty()) ? use.subject() : owner;
				update(mac, use.rule().rule().id());
				update(mac, use.subject());
				update(mac, Long.toString(use.cost()));
			}
		}
		if (owner.isEmpty()) {
			return Optional.empty();
		}
		update(mac, retry.operation());
		update(mac, retry.key());
		String id = Base64.getUrlEncoder().withoutPadding().encodeToString(mac.doFinal());
		return Optional.of(new ReplayMarker(owner, id, this.settings.ttl().toMillis(), this.settings.maxReplays(),
				this.settings.maxMarkers()));
	}

	private static void update(Mac mac, String text) {
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		for (int shift = 24; shift >= 0; shift -= 8) {
			mac.update((byte) (bytes.length >> shift));
		}
		mac.update(bytes);
	}

}
