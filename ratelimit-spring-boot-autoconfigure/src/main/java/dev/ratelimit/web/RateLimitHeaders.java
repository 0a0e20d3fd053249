package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

import dev.ratelimit.Decision;
import dev.ratelimit.Policy;
import dev.ratelimit.Verdict;

/**
 * Writes what clients are told: {@code RateLimit-Policy} and {@code RateLimit} in the
 * list form of draft 11, {@code X-RateLimit-*} with the reset in epoch seconds, and
 * {@code Retry-After} on a refusal. Quantities are rounded down and waits up, so that who
 * does as told is not refused again. Thread-safe.
 *
 * @see <a href=
 * "https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/">RateLimit
 * header fields for HTTP</a>
 */
final class RateLimitHeaders {

	/** The largest integer of structured fields (RFC 9651). */
	private static final long LARGEST = 999_999_999_999_999L;

	private static final long SOON_MILLIS = 1000;

	private static final Comparator<Verdict> TIGHTEST_FIRST = Comparator
		.comparingDouble((verdict) -> verdict.remaining() / (double) verdict.policy().quota());

	private static final Comparator<Verdict> LONGEST_WAIT_FIRST = Comparator
		.comparingLong((Verdict verdict) -> isNever(verdict) ? Long.MAX_VALUE : wait(verdict))
		.reversed();

	private final Function<Policy, PolicyText> texts;

	RateLimitHeaders(Function<Policy, PolicyText> texts) {
		this.texts = texts;
	}

	/**
	 * The fields for a decision.
	 * @param decision the decision; its verdicts' order is that of the policies
	 * @param nowEpochMillis the time
	 * @return the fields, empty if there is nothing to tell
	 */
	List<HeaderField> fields(Decision decision, long nowEpochMillis) {
		List<Verdict> shown = shown(decision);
		List<HeaderField> fields = new ArrayList<>(6);
		if (!shown.isEmpty()) {
			addQuota(fields, decision.allowed(), shown, nowEpochMillis);
		}
		if (!decision.allowed()) {
			long retryAfter = retryAfterSeconds(decision);
			if (retryAfter != Verdict.NEVER) {
				fields.add(new HeaderField("Retry-After", Long.toString(retryAfter)));
			}
			fields.add(new HeaderField("Cache-Control", "no-store"));
		}
		return fields;
	}

	/**
	 * The policies that refuse.
	 * @param decision a refusal
	 * @return the verdicts that do not pass, the one with the longest wait first
	 */
	static List<Verdict> violated(Decision decision) {
		List<Verdict> violated = new ArrayList<>(2);
		for (Verdict verdict : decision.verdicts()) {
			if (!verdict.outcome().passes()) {
				violated.add(verdict);
			}
		}
		violated.sort(LONGEST_WAIT_FIRST);
		return violated;
	}

	/**
	 * The wait to tell of.
	 * @param decision a refusal
	 * @return seconds, at least 1, or {@link Verdict#NEVER}
	 */
	static long retryAfterSeconds(Decision decision) {
		List<Verdict> violated = violated(decision);
		return (violated.isEmpty() || isNever(violated.get(0))) ? Verdict.NEVER : seconds(wait(violated.get(0)));
	}

	static String policyItem(Policy policy) {
		StringBuilder item = new StringBuilder(48).append('"').append(policy.name()).append("\";q=");
		item.append(Math.min(LARGEST, policy.quota()));
		if (policy.unit() != Policy.Unit.REQUESTS) {
			item.append(";qu=\"").append(unit(policy.unit())).append('"');
		}
		policy.windowSeconds().ifPresent((seconds) -> item.append(";w=").append(seconds));
		return item.toString();
	}

	private void addQuota(List<HeaderField> fields, boolean allowed, List<Verdict> shown, long nowEpochMillis) {
		fields.add(policies(shown));
		List<Verdict> binding = binding(shown, allowed);
		if (binding.isEmpty()) {
			return;
		}
		fields.add(new HeaderField("RateLimit", limits(binding, allowed)));
		Verdict first = binding.get(0);
		fields.add(this.texts.apply(first.policy()).quota());
		fields.add(new HeaderField("X-RateLimit-Remaining", Long.toString(first.remaining())));
		if (hasReset(first, allowed)) {
			long resetMillis = nowEpochMillis + untilReset(first, allowed);
			fields.add(new HeaderField("X-RateLimit-Reset", Long.toString(Math.floorDiv(resetMillis + 999, 1000L))));
		}
	}

	// The first is the one to keep to. Most requests have one policy, and meet it.
	private static List<Verdict> binding(List<Verdict> shown, boolean allowed) {
		if (shown.size() == 1 && shown.get(0).outcome().passes()) {
			return (allowed) ? shown : List.of();
		}
		List<Verdict> binding = new ArrayList<>(shown);
		if (!allowed) {
			binding.removeIf((verdict) -> verdict.outcome().passes());
		}
		binding.sort((allowed) ? TIGHTEST_FIRST : LONGEST_WAIT_FIRST);
		return binding;
	}

	private HeaderField policies(List<Verdict> shown) {
		if (shown.size() == 1) {
			return this.texts.apply(shown.get(0).policy()).alone();
		}
		StringBuilder list = new StringBuilder(64);
		for (Verdict verdict : shown) {
			list.append((list.isEmpty()) ? "" : ", ").append(this.texts.apply(verdict.policy()).item());
		}
		return new HeaderField("RateLimit-Policy", list.toString());
	}

	private static String limits(List<Verdict> binding, boolean allowed) {
		StringBuilder list = new StringBuilder(48);
		for (Verdict verdict : binding) {
			list.append((list.isEmpty()) ? "\"" : ", \"").append(verdict.policy().name()).append("\";r=");
			list.append(Math.min(LARGEST, verdict.remaining()));
			long wait = (allowed) ? verdict.nextUnitMillis() : verdict.retryAfterMillis();
			if (wait > 0 && !isConcurrency(verdict)) {
				list.append(";t=").append(seconds(wait));
			}
		}
		return list.toString();
	}

	// What a client may know: what was measured, and not of rules that only watch.
	private static List<Verdict> shown(Decision decision) {
		List<Verdict> all = decision.verdicts();
		if (all.size() == 1) {
			return (isShown(all.get(0))) ? all : List.of();
		}
		List<Verdict> shown = new ArrayList<>(all.size());
		for (Verdict verdict : all) {
			if (isShown(verdict)) {
				shown.add(verdict);
			}
		}
		return shown;
	}

	private static boolean isShown(Verdict verdict) {
		return verdict.outcome().measured() && !verdict.policy().shadow();
	}

	private static boolean hasReset(Verdict verdict, boolean allowed) {
		return (allowed) ? !isConcurrency(verdict) : !isNever(verdict);
	}

	private static long untilReset(Verdict verdict, boolean allowed) {
		if (!allowed) {
			return wait(verdict);
		}
		return (verdict.remaining() == 0) ? verdict.nextUnitMillis() : verdict.resetAfterMillis();
	}

	// A lease may be given back at any time: its end says nothing of when to come again.
	private static long wait(Verdict refused) {
		return (isConcurrency(refused)) ? SOON_MILLIS : refused.retryAfterMillis();
	}

	private static boolean isConcurrency(Verdict verdict) {
		return verdict.policy().concurrent();
	}

	private static boolean isNever(Verdict verdict) {
		return verdict.retryAfterMillis() == Verdict.NEVER;
	}

	private static String unit(Policy.Unit unit) {
		return (unit == Policy.Unit.CONTENT_BYTES) ? "content-bytes" : "concurrent-requests";
	}

	private static long seconds(long millis) {
		return Math.max(1, Math.floorDiv(millis + 999, 1000L));
	}

}
