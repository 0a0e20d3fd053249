package dev.ratelimit.web.response;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.ratelimit.Policy;
import dev.ratelimit.Verdict;

/**
 * {@code RateLimit-Policy} as a list of capacities, and {@code RateLimit} as a dictionary
 * of the policy with the fewest remaining units: draft 7.
 */
final class Draft7Format implements HeaderFormat {

	private static final Pattern REMAINING = Pattern.compile("\\bremaining\\s*=\\s*(\\d{1,18})(?!\\d)");

	private final String limits;

	private final WindowList windows;

	/**
	 * Create the format.
	 * @param names the names of the fields
	 */
	Draft7Format(HeaderNames names) {
		this.limits = names.rateLimit();
		this.windows = new WindowList(names.policy());
	}

	@Override
	public List<String> names() {
		return List.of(this.windows.name(), this.limits);
	}

	@Override
	public void use(Collection<Policy> policies) {
		this.windows.use(policies);
	}

	@Override
	public void write(LimitSummary summary, List<HeaderField> fields) {
		this.windows.write(summary, fields);
		if (!summary.binding().isEmpty()) {
			Verdict least = summary.least();
			fields.add(new HeaderField(this.limits,
					"limit=" + Math.min(DraftFormat.MAX_INTEGER, least.policy().capacity()) + ", remaining="
							+ Math.min(DraftFormat.MAX_INTEGER, least.remaining()) + ", reset="
							+ summary.resetSeconds(least)));
		}
	}

	@Override
	public Map<String, String> merge(Map<String, String> ours, Map<String, String> theirs) {
		return HeaderFormat.whole(names(), (fields) -> remaining(fields.getOrDefault(this.limits, "")), ours, theirs);
	}

	private static OptionalLong remaining(String dictionary) {
		Matcher remaining = REMAINING.matcher(dictionary);
		return (remaining.find()) ? OptionalLong.of(Long.parseLong(remaining.group(1))) : OptionalLong.empty();
	}

}
