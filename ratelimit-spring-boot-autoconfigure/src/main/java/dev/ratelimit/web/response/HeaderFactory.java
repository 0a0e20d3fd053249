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
 * Internal: turns decisions into header fields, on every response. Thread-safe.
 */
public final class HeaderFactory {

	private static final Comparator<Verdict> BY_NAME = Comparator.comparing((verdict) -> verdict.policy().name());

	/** The header that shows how long a request has waited. */
	public static final String TIMING = "Server-Timing";

	private final InstantSource clock;

	private final Jitter jitter;

	private final boolean writesAllowed;

	private final HeaderFormat format;

	private final RateLimitHeaders headers;

	private final HeaderVisibility visibility;

	private final boolean serverTiming;

	/**
	 * A writer.
	 * @param clock the time of day
	 * @param settings the settings of header fields
	 * @param jitter what is added to waits
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
	 * Write once what is constant for the rules of an edition. Responses to requests of
	 * the edition before are written as they come.
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
	 * Decides what is disclosed once the response is known.
	 * @return the same for all responses
	 */
	public HeaderVisibility visibility() {
		return this.visibility;
	}

	/**
	 * How long a request has waited for its turn, if responses show it.
	 * @param waited the request
	 * @return the value of {@link #TIMING}
	 */
	public Optional<String> timing(RequestProgress waited) {
		return (this.serverTiming) ? Optional.of("rl;dur=" + TimeUnit.NANOSECONDS.toMillis(waited.waitedNanos()))
				: Optional.empty();
	}

	/**
	 * The header fields of an allowed request.
	 * @param progress how far the request has come
	 * @return the fields, which replace those of an earlier phase; empty if there are
	 * none
	 */
	public List<HeaderField> fields(RequestProgress progress) {
		return (this.writesAllowed) ? fields(progress, this.jitter.seconds()) : List.of();
	}

	/**
	 * The header fields of a response that rejects a request.
	 * @param progress how far the request has come: to a rejection
	 * @param jitterSeconds what is added to waits
	 * @return the fields
	 */
	public List<HeaderField> rejection(RequestProgress progress, long jitterSeconds) {
		return fields(progress, jitterSeconds);
	}

	/**
	 * What is added to the waits in one response.
	 * @return seconds, each time others
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
