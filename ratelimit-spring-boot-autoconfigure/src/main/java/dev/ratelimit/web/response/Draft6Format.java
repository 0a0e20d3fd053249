package dev.ratelimit.web.response;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import dev.ratelimit.Policy;
import dev.ratelimit.Verdict;

/**
 * {@code RateLimit-Limit}, {@code -Remaining} and {@code -Reset}, in seconds from now, of
 * the policy with the fewest remaining units, and {@code RateLimit-Policy} as a list of
 * capacities: drafts up to 6.
 */
final class Draft6Format implements HeaderFormat {

	private final HeaderNames names;

	private final WindowList windows;

	private final PolicyTexts<HeaderField> texts = new PolicyTexts<>(this::limit);

	/**
	 * Create the format.
	 * @param names the names of the fields
	 */
	Draft6Format(HeaderNames names) {
		this.names = names;
		this.windows = new WindowList(names.policy());
	}

	@Override
	public List<String> names() {
		return List.of(this.windows.name(), this.names.limit(), this.names.remaining(), this.names.reset());
	}

	@Override
	public void use(Collection<Policy> policies) {
		this.windows.use(policies);
		this.texts.use(policies);
	}

	@Override
	public void write(LimitSummary summary, List<HeaderField> fields) {
		this.windows.write(summary, fields);
		if (!summary.binding().isEmpty()) {
			Verdict least = summary.least();
			fields.add(this.texts.of(least.policy()));
			fields.add(new HeaderField(this.names.remaining(),
					Long.toString(Math.min(DraftFormat.MAX_INTEGER, least.remaining()))));
			fields.add(new HeaderField(this.names.reset(), Long.toString(summary.resetSeconds(least))));
		}
	}

	@Override
	public Map<String, String> merge(Map<String, String> ours, Map<String, String> theirs) {
		return HeaderFormat.whole(names(), (fields) -> LegacyFormat.number(fields.get(this.names.remaining())), ours,
				theirs);
	}

	private HeaderField limit(Policy policy) {
		return new HeaderField(this.names.limit(), Long.toString(Math.min(DraftFormat.MAX_INTEGER, policy.capacity())));
	}

}
