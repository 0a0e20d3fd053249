package dev.ratelimit.web.response;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.Decision;
import dev.ratelimit.Policy;
import dev.ratelimit.Verdict;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.Edition;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.store.BucketFamily;

/**
 * Internal: converts decisions to header fields, for all responses. Thread-safe.
 */
public final class HeaderFactory {

	private static final Comparator<Verdict> BY_NAME = Comparator.comparing((verdict) -> verdict.policy().name());

	/** The header that shows the time that a request has waited. */
	public static final String TIMING = "Server-Timing";

	private final InstantSource clock;

	private final Jitter jitter;

	private final boolean writesAllowed;

	private final HeaderFormat format;

	private final RateLimitHeaders headers;

	private final HeaderVisibility visibility;

	private final boolean serverTiming;

	/**
	 * Create a factory.
	 * @param clock the time of day
	 * @param settings the settings of header fields
	 * @param jitter the time that is added to waits
	 */
	public HeaderFactory(InstantSource clock, HeaderSettings settings, Jitter jitter) {
		this.clock = clock;
		this.jitter = jitter;
		this.writesAllowed = settings.onSuccess() != HeaderSettings.OnSuccess.NEVER;
		this.format = HeaderFormat.of(settings);
		this.headers = new RateLimitHeaders(this.format);
		this.visibility = new HeaderVisibility(this.format, settings.onSuccess());
		this.serverTiming = settings.serverTiming();
	}

	/**
	 * Prepare the constant parts of the fields for the rules of an edition. Those for
	 * requests of the previous edition are written without preparation.
	 * @param edition the active edition
	 */
	public void follow(Edition edition) {
		List<Policy> policies = new ArrayList<>();
		for (CompiledRule rule : edition.compiled().values()) {
			rule.families()
				.stream()
				.map(BucketFamily::policy)
				.filter((policy) -> !policy.shadow())
				.forEach(policies::add);
		}
		this.format.use(policies);
	}

	/**
	 * Return the visibility of fields, which depends on the response.
	 * @return the same for all responses
	 */
	public HeaderVisibility visibility() {
		return this.visibility;
	}

	/**
	 * Return the time that a request has waited for its turn, if responses show it.
	 * @param waited the request
	 * @return the value of {@link #TIMING}
	 */
	public Optional<String> timing(RequestProgress waited) {
		return (this.serverTiming) ? Optional.of("rl;dur=" + TimeUnit.NANOSECONDS.toMillis(waited.waitedNanos()))
				: Optional.empty();
	}

	/**
	 * Return the header fields of an allowed request.
	 * @param progress the progress of the request
	 * @return the fields, which replace those of an earlier phase; empty if there are
	 * none
	 */
	public List<HeaderField> fields(RequestProgress progress) {
		return (this.writesAllowed) ? fields(progress, this.jitter.seconds()) : List.of();
	}

	/**
	 * Return the header fields of a response that rejects a request.
	 * @param progress the progress of the request, with the rejection
	 * @param jitterSeconds the seconds that are added to waits
	 * @return the fields
	 */
	public List<HeaderField> rejection(RequestProgress progress, long jitterSeconds) {
		return fields(progress, jitterSeconds);
	}

	/**
	 * Return the time that is added to the waits in one response.
	 * @return the time in seconds, which varies with each call
	 */
	public long jitterSeconds() {
		return this.jitter.seconds();
	}

	private List<HeaderField> fields(RequestProgress progress, long jitterSeconds) {
		return this.headers.fields(inOrder(progress.decision()), progress.partitions(), this.clock.millis(),
				jitterSeconds);
	}

	private static Decision inOrder(Decision decision) {
		if (decision.verdicts().size() < 2) {
			return decision;
		}
		List<Verdict> sorted = new ArrayList<>(decision.verdicts());
		sorted.sort(BY_NAME);
		return new Decision(decision.allowed(), decision.reason(), decision.source(), sorted, decision.reservation());
	}

}
