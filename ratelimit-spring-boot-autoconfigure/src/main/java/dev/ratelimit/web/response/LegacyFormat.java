package dev.ratelimit.web.response;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

import dev.ratelimit.Policy;
import dev.ratelimit.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * {@code X-RateLimit-Limit}, {@code -Remaining}, and {@code -Reset} of the policy that is
 * exhausted first.
 */
final class LegacyFormat implements HeaderFormat {

	private final HeaderNames names;

	private final boolean bucket;

	private final HeaderSettings.Reset reset;

	private final PolicyTexts<Text> texts = new PolicyTexts<>(this::text);

	/**
	 * Create the format.
	 * @param names the names of the fields
	 * @param bucket whether the rule's id is disclosed
	 * @param reset the form of the reset: a time of day or a wait
	 */
	LegacyFormat(HeaderNames names, boolean bucket, HeaderSettings.Reset reset) {
		this.names = names;
		this.bucket = bucket;
		this.reset = reset;
	}

	@Override
	public List<String> names() {
		return (this.bucket)
				? List.of(this.names.limit(), this.names.remaining(), this.names.reset(), this.names.bucket())
				: List.of(this.names.limit(), this.names.remaining(), this.names.reset());
	}

	@Override
	public void use(Collection<Policy> policies) {
		this.texts.use(policies);
	}

	@Override
	public void write(LimitSummary summary, List<HeaderField> fields) {
		if (summary.binding().isEmpty()) {
			return;
		}
		Verdict first = summary.binding().get(0);
		Text text = this.texts.of(first.policy());
		fields.add(text.limit());
		fields.add(new HeaderField(this.names.remaining(),
				Long.toString(Math.min(DraftFormat.MAX_INTEGER, first.remaining()))));
		if (summary.hasReset(first)) {
			fields.add(new HeaderField(this.names.reset(), Long.toString(reset(summary, first))));
		}
		if (this.bucket) {
			fields.add(text.bucket());
		}
	}

	@Override
	public Map<String, String> merge(Map<String, String> ours, Map<String, String> theirs) {
		return HeaderFormat.whole(names(), (fields) -> number(fields.get(this.names.remaining())), ours, theirs);
	}

	/**
	 * Read a number that the application or an upstream has written.
	 * @param text the text, or {@code null}
	 * @return the number; empty if the text is not a number
	 */
	static OptionalLong number(@Nullable String text) {
		boolean known = text != null && !text.isEmpty() && text.length() <= 18
				&& text.chars().allMatch((character) -> character >= '0' && character <= '9');
		return (known) ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
	}

	private long reset(LimitSummary summary, Verdict first) {
		return (this.reset == HeaderSettings.Reset.EPOCH) ? summary.resetEpochSeconds(first)
				: summary.resetSeconds(first);
	}

	private Text text(Policy policy) {
		return new Text(
				new HeaderField(this.names.limit(),
						Long.toString(Math.min(DraftFormat.MAX_INTEGER, policy.capacity()))),
				new HeaderField(this.names.bucket(), policy.ruleId()));
	}

	/**
	 * The constant parts of a policy.
	 *
	 * @param limit the field with its capacity
	 * @param bucket the field with its rule
	 */
	private record Text(HeaderField limit, HeaderField bucket) {
	}

}
