package dev.ratelimit.web.response;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import dev.ratelimit.Policy;
import dev.ratelimit.Verdict;

/**
 * {@code RateLimit-Policy} and {@code RateLimit} as lists of named policies: drafts 8 to
 * 11.
 *
 * @see <a href=
 * "https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/">RateLimit
 * header fields for HTTP</a>
 */
final class DraftFormat implements HeaderFormat {

	/** The largest integer of structured fields (RFC 9651). */
	static final long LARGEST = 999_999_999_999_999L;

	private final String limits;

	private final String policies;

	private final boolean compatParams;

	private final PolicyTexts<Text> texts = new PolicyTexts<>(this::text);

	/**
	 * The format.
	 * @param names how the fields are called
	 * @param compatParams whether parameters are added that parsers of draft 7 find
	 */
	DraftFormat(HeaderNames names, boolean compatParams) {
		this.limits = names.rateLimit();
		this.policies = names.policy();
		this.compatParams = compatParams;
	}

	@Override
	public List<String> names() {
		return List.of(this.policies, this.limits);
	}

	@Override
	public void use(Collection<Policy> policies) {
		this.texts.use(policies);
	}

	@Override
	public void write(LimitSummary standing, List<HeaderField> fields) {
		fields.add(policies(standing));
		if (!standing.binding().isEmpty()) {
			fields.add(new HeaderField(this.limits, limits(standing)));
		}
	}

	@Override
	public Map<String, String> merge(Map<String, String> ours, Map<String, String> theirs) {
		return new ListMerge(this.policies, this.limits).merge(ours, theirs);
	}

	private HeaderField policies(LimitSummary standing) {
		List<Verdict> shown = standing.shown();
		if (shown.size() == 1 && standing.partitions().isEmpty()) {
			return this.texts.of(shown.get(0).policy()).alone();
		}
		StringBuilder list = new StringBuilder(64);
		for (Verdict verdict : shown) {
			list.append((list.isEmpty()) ? "" : ", ").append(this.texts.of(verdict.policy()).item());
			partition(list, standing.partition(verdict));
		}
		return new HeaderField(this.policies, list.toString());
	}

	private String limits(LimitSummary standing) {
		StringBuilder list = new StringBuilder(48);
		for (Verdict verdict : standing.binding()) {
			list.append((list.isEmpty()) ? "\"" : ", \"").append(verdict.policy().name()).append("\";r=");
			list.append(Math.min(LARGEST, verdict.remaining()));
			long window = standing.windowSeconds(verdict);
			if (window > 0) {
				list.append(";t=").append(window);
			}
			partition(list, standing.partition(verdict));
			if (this.compatParams && verdict == standing.binding().get(0)) {
				compatParams(list, standing, verdict);
			}
		}
		return list.toString();
	}

	private static void partition(StringBuilder list, String partition) {
		if (!partition.isEmpty()) {
			list.append(";pk=").append(partition);
		}
	}

	// Parsers of draft 7 look for these words wherever they are.
	private static void compatParams(StringBuilder list, LimitSummary standing, Verdict verdict) {
		list.append(";compat-limit=").append(Math.min(LARGEST, verdict.policy().capacity()));
		list.append(";compat-remaining=").append(Math.min(LARGEST, verdict.remaining()));
		list.append(";compat-reset=").append(standing.resetSeconds(verdict));
	}

	private Text text(Policy policy) {
		String item = item(policy);
		return new Text(item, new HeaderField(this.policies, item));
	}

	private static String item(Policy policy) {
		StringBuilder item = new StringBuilder(48).append('"').append(policy.name()).append("\";q=");
		item.append(Math.min(LARGEST, policy.capacity()));
		if (policy.unit() != Policy.Unit.REQUESTS) {
			item.append(";qu=\"").append(unit(policy.unit())).append('"');
		}
		policy.windowSeconds().ifPresent((seconds) -> item.append(";w=").append(seconds));
		return item.toString();
	}

	private static String unit(Policy.Unit unit) {
		return (unit == Policy.Unit.CONTENT_BYTES) ? "content-bytes" : "concurrent-requests";
	}

	/**
	 * What is constant of a policy.
	 *
	 * @param item the policy as an item of a list
	 * @param alone the field of all policies where this is the only one
	 */
	private record Text(String item, HeaderField alone) {
	}

}
