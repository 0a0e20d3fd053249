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
 * Computes digests of rules, to compare them across instances. The origin is not
 * included.
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

	// The text must not depend on the instance, so maps are sorted, and functions are
	// omitted.
	private static String text(Rule rule) {
		Reaction reaction = rule.reaction();
		return List.of(rule.id(), rule.match(), text(rule.key()), text(rule.numbers()), reaction.mode(),
				reaction.failure(), reaction.phase(), reaction.status(), reaction.idempotency(),
				reaction.refund().text(), reaction.replaces(), reaction.ramp(), reaction.excess(),
				text(reaction.holding()), reaction.waiting(), rule.access(), rule.locked()) + text(rule.others())
				+ "\n";
	}

	// Options are included only if they are set, so that earlier versions without an
	// option compute the same digest.
	private static String text(Map<String, Object> others) {
		StringBuilder text = new StringBuilder();
		new TreeMap<>(others).forEach((name, value) -> {
			if (!name.equals(Rule.LOCKED)) {
				text.append(' ').append(name).append('=').append(value);
			}
		});
		return text.toString();
	}

	// An omitted policy counts as 'shared', so that earlier versions compute the same
	// digest. An explicit 'shared' differs only for parts whose default is another
	// policy.
	private static String text(RuleKey key) {
		String policy = (key.writes(MissingKeyPolicy.SHARED) && key.requiresPrincipal()) ? "WRITTEN_SHARED"
				: key.onMissing().orElse(MissingKeyPolicy.SHARED).name();
		return "RuleKey[parts=" + key.parts() + ", onMissing=" + policy + "]";
	}

	// The name of the component in earlier versions.
	private static String text(Reaction.Holding holding) {
		return "Holding[by=" + holding.by() + ", longest=" + holding.maxHold() + "]";
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
		// The default store is omitted, so that earlier versions without other stores
		// compute the same digest.
		String store = (numbers.store().equals(LimitSet.DEFAULT_STORE)) ? "" : "@" + numbers.store();
		return numbers.kind() + numbers.limits().stream().map(RuleDigest::text).toList().toString() + store;
	}

	// The text form of a limit does not contain the burst and the algorithm.
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
