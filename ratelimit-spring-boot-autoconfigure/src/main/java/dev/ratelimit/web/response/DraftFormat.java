package dev.ratelimit.web.response;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
	static final long MAX_INTEGER = 999_999_999_999_999L;

	private final String limits;

	private final String policies;

	private final boolean compatParams;

	private final PolicyTexts<Text> texts = new PolicyTexts<>(this::text);

	/**
	 * Create the format.
	 * @param names the names of the fields
	 * @param compatParams whether to add parameters for parsers of draft 7
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
	public void write(LimitSummary summary, List<HeaderField> fields) {
		fields.add(policies(summary));
		if (!summary.binding().isEmpty()) {
			fields.add(new HeaderField(this.limits, limits(summary)));
		}
	}

	@Override
	public Map<String, String> merge(Map<String, String> ours, Map<String, String> theirs) {
		return new ListMerge(this.policies, this.limits).merge(ours, theirs);
	}

	private HeaderField policies(LimitSummary summary) {
		List<Verdict> shown = summary.shown();
		if (shown.size() == 1 && summary.partitions().isEmpty()) {
			return this.texts.of(shown.get(0).policy()).alone();
		}
		StringBuilder list = new StringBuilder(64);
		for (Verdict verdict : shown) {
			list.append((list.isEmpty()) ? "" : ", ").append(this.texts.of(verdict.policy()).item());
			partition(list, summary.partition(verdict));
		}
		return new HeaderField(this.policies, list.toString());
	}

	private String limits(LimitSummary summary) {
		StringBuilder list = new StringBuilder(48);
		for (Verdict verdict : summary.binding()) {
			list.append((list.isEmpty()) ? "\"" : ", \"").append(verdict.policy().name()).append("\";r=");
			list.append(Math.min(MAX_INTEGER, verdict.remaining()));
			long window = summary.windowSeconds(verdict);
			if (window > 0) {
				list.append(";t=").append(window);
			}
			partition(list, summary.partition(verdict));
			if (this.compatParams && verdict == summary.binding().get(0)) {
				compatParams(list, summary, verdict);
			}
		}
		return list.toString();
	}

	private static void partition(StringBuilder list, String partition) {
		if (!partition.isEmpty()) {
			list.append(";pk=").append(partition);
		}
	}

	// Parsers of draft 7 search for these words in the whole field.
	private static void compatParams(StringBuilder list, LimitSummary summary, Verdict verdict) {
		list.append(";compat-limit=").append(Math.min(MAX_INTEGER, verdict.policy().capacity()));
		list.append(";compat-remaining=").append(Math.min(MAX_INTEGER, verdict.remaining()));
		list.append(";compat-reset=").append(summary.resetSeconds(verdict));
	}

	private Text text(Policy policy) {
		String item = item(policy);
		return new Text(item, new HeaderField(this.policies, item));
	}

	private static String item(Policy policy) {
		StringBuilder item = new StringBuilder(48).append('"').append(policy.name()).append("\";q=");
		item.append(Math.min(MAX_INTEGER, policy.capacity()));
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
	 * The constant parts of a policy.
	 *
	 * @param item the policy as an item of a list
	 * @param alone the field of all policies if this is the only policy
	 */
	private record Text(String item, HeaderField alone) {
	}

	/**
	 * Merges lists of named policies: the limiter's policies are added to the others. If
	 * two have the same name, the one with fewer remaining units is kept.
	 *
	 * @param policies the name of the field of policies
	 * @param limits the name of the field of remaining units
	 */
	private record ListMerge(String policies, String limits) {

		Map<String, String> merge(Map<String, String> ours, Map<String, String> theirs) {
			Optional<Map<String, ListedItem>> limits = ListedItem.parse(theirs.getOrDefault(this.limits, ""));
			Optional<Map<String, ListedItem>> policies = ListedItem.parse(theirs.getOrDefault(this.policies, ""));
			if (limits.isEmpty() || policies.isEmpty()) {
				// The fields have another format, so additions would make them invalid.
				return HeaderFormat.only(List.of(this.policies, this.limits), theirs);
			}
			return merge(new Lists(policies.get(), limits.get()), Lists.of(ours, this));
		}

		private Map<String, String> merge(Lists theirs, Lists ours) {
			Map<String, ListedItem> policies = new LinkedHashMap<>(theirs.policies);
			Map<String, ListedItem> limits = new LinkedHashMap<>(theirs.limits);
			ours.policies.forEach((name, policy) -> {
				if (!theirs.names(name) || ours.isStricter(name, theirs)) {
					policies.put(name, policy);
					Optional.ofNullable(ours.limits.get(name)).ifPresent((limit) -> limits.put(name, limit));
				}
			});
			Map<String, String> merged = new HashMap<>();
			put(merged, this.policies, policies);
			put(merged, this.limits, limits);
			return merged;
		}

		private static void put(Map<String, String> fields, String name, Map<String, ListedItem> items) {
			if (!items.isEmpty()) {
				fields.put(name, String.join(", ", items.values().stream().map(ListedItem::text).toList()));
			}
		}

		/**
		 * The lists of one side.
		 *
		 * @param policies policies by name
		 * @param limits their remaining units
		 */
		private record Lists(Map<String, ListedItem> policies, Map<String, ListedItem> limits) {

			static Lists of(Map<String, String> fields, ListMerge names) {
				return new Lists(ListedItem.parse(fields.getOrDefault(names.policies, "")).orElseThrow(),
						ListedItem.parse(fields.getOrDefault(names.limits, "")).orElseThrow());
			}

			boolean names(String policy) {
				return this.policies.containsKey(policy) || this.limits.containsKey(policy);
			}

			boolean isStricter(String policy, Lists other) {
				ListedItem own = this.limits.get(policy);
				ListedItem others = other.limits.get(policy);
				return own != null && (others == null || own.remaining() < others.remaining());
			}

		}

		/**
		 * An item of a list of named policies that the application or an upstream has
		 * written (RFC 9651). It is parsed only as far as necessary to distinguish it
		 * from the limiter's policies. Immutable.
		 *
		 * @param text the whole item
		 * @param remaining the remaining units; {@link Long#MAX_VALUE} if it does not
		 * contain them
		 */
		private record ListedItem(String text, long remaining) {

			/**
			 * A name in quotes, and the text after it up to a comma that is not in
			 * quotes.
			 */
			private static final Pattern ITEM = Pattern
				.compile("\\s*+(\"(?:[^\"\\\\]|\\\\.)*+\")((?:[^\",]|\"(?:[^\"\\\\]|\\\\.)*+\")*+)(?:,|$)");

			private static final Pattern REMAINING = Pattern.compile(";\\s*r=(\\d{1,15})");

			/**
			 * Read a list.
			 * @param list the field's value
			 * @return the items by their names in quotes, in their order; empty if the
			 * value has another form
			 */
			static Optional<Map<String, ListedItem>> parse(String list) {
				Map<String, ListedItem> items = new LinkedHashMap<>();
				Matcher item = ITEM.matcher(list);
				int end = 0;
				while (end < list.length()) {
					// Matches only at this position, because a search in a hostile list
					// would take quadratic time.
					if (!item.region(end, list.length()).lookingAt()) {
						return Optional.empty();
					}
					String parameters = item.group(2).stripTrailing();
					items.put(item.group(1), new ListedItem(item.group(1) + parameters, remaining(parameters)));
					end = item.end();
				}
				return Optional.of(items);
			}

			private static long remaining(String parameters) {
				Matcher remaining = REMAINING.matcher(parameters);
				return (remaining.find()) ? Long.parseLong(remaining.group(1)) : Long.MAX_VALUE;
			}

		}

	}

}
