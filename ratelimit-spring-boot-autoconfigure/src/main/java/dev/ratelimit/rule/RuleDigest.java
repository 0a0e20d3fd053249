package dev.ratelimit.rule;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.ratelimit.Limit;
import dev.ratelimit.MissingKeyPolicy;

/**
 * Compares rules across instances, by everything but their origin.
 */
final class RuleDigest {

	private static final int DIGEST_BYTES = 6;

	private RuleDigest() {
	}

	static String of(Collection<Rule> rules) {
		MessageDigest digest = sha256();
		rules.forEach((rule) -> digest.update(text(rule).getBytes(StandardCharsets.UTF_8)));
		return HexFormat.of().formatHex(digest.digest(), 0, DIGEST_BYTES);
	}

	// Nothing in it may depend on the instance: maps have an order, and functions are not
	// in it.
	private static String text(Rule rule) {
		Reaction reaction = rule.reaction();
		return List.of(rule.id(), rule.match(), text(rule.key()), text(rule.numbers()), reaction.mode(),
				reaction.failure(), reaction.phase(), reaction.status(), reaction.idempotency(),
				reaction.refund().text(), reaction.replaces(), reaction.ramp(), reaction.excess(), reaction.holding(),
				reaction.waiting(), rule.access(), rule.locked()) + text(rule.others()) + "\n";
	}

	// An option that a former version does not know changes the digest only if it is set.
	private static String text(Map<String, Object> others) {
		StringBuilder text = new StringBuilder();
		new TreeMap<>(others).forEach((name, value) -> {
			if (!name.equals(Rule.LOCKED)) {
				text.append(' ').append(name).append('=').append(value);
			}
		});
		return text.toString();
	}

	// What is not written counts as 'shared', as it always did, so that versions agree on
	// rules without it. Written, the word matters only for parts that would get another
	// policy without it.
	private static String text(RuleKey key) {
		String policy = (key.writes(MissingKeyPolicy.SHARED) && key.requiresPrincipal()) ? "WRITTEN_SHARED"
				: key.onMissing().orElse(MissingKeyPolicy.SHARED).name();
		return "RuleKey[parts=" + key.parts() + ", onMissing=" + policy + "]";
	}

	private static String text(RuleNumbers numbers) {
		StringBuilder text = new StringBuilder().append(numbers.cost())
			.append(numbers.bucket())
			.append(numbers.consistency())
			.append(text(numbers.quota()));
		numbers.plans().forEach((plan, limits) -> text.append(' ').append(plan).append('=').append(text(limits)));
		numbers.overrides()
			.forEach((value, limits) -> text.append(" [").append(value).append("]=").append(text(limits)));
		if (numbers.reserves()) {
			text.append(" reserve ").append(numbers.reserve());
		}
		return text.toString();
	}

	private static String text(LimitSet numbers) {
		// Without the usual one, so that versions agree that know no others.
		String store = (numbers.store().equals(LimitSet.DEFAULT_STORE)) ? "" : "@" + numbers.store();
		return numbers.kind() + numbers.limits().stream().map(RuleDigest::text).toList().toString() + store;
	}

	// A limit's own text form is without burst and algorithm.
	private static String text(Limit limit) {
		return List.of(limit, limit.algorithm(), limit.period(), limit.burst(), limit.credit(), limit.calendar())
			.toString();
	}

	private static MessageDigest sha256() {
		try {
			return MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("every Java platform has SHA-256", ex);
		}
	}

}
