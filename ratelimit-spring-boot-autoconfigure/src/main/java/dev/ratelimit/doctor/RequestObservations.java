package dev.ratelimit.doctor;

import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

import dev.ratelimit.Decision;
import dev.ratelimit.Reason;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.Wait;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.DecisionObserver;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.gate.RuleObservations;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.web.Entry;
import dev.ratelimit.web.GateRequest;
import dev.ratelimit.web.RequestObserver;

/**
 * Internal: counts of observations of requests, for the checks of the doctor. Most
 * requests only read a flag of each rule; expensive observations are made only for
 * samples and rejections. Stores no data of clients, except one peer address.
 * Thread-safe.
 */
public final class RequestObservations implements RequestObserver, DecisionObserver {

	/** The headers that other limiters also write. */
	private static final List<String> QUOTA_HEADERS = List.of("RateLimit", "X-RateLimit-Remaining",
			"X-Rate-Limit-Remaining");

	private final InstantSource clock;

	private final Sampler sampler = new Sampler();

	private final Sampler responses = new Sampler();

	private final PeerObservations peers;

	private final RejectionObservations rejections = new RejectionObservations();

	private final ExemptObservations exempt = new ExemptObservations();

	private final LongAdder foreignHeaders = new LongAdder();

	private final LongAdder rewrittenPaths = new LongAdder();

	private volatile Map<String, RuleObservations> rules = Map.of();

	/**
	 * Observe requests.
	 * @param clock the clock, for the start of observations
	 * @param trusted whether the forwarded headers of a request are trusted
	 */
	public RequestObservations(InstantSource clock, Predicate<GateRequest> trusted) {
		this.clock = clock;
		this.peers = new PeerObservations(trusted);
	}

	/**
	 * Return the observations of the peers of requests.
	 * @return the observations
	 */
	public PeerObservations peers() {
		return this.peers;
	}

	/**
	 * Return the observations of rejections.
	 * @return the observations
	 */
	RejectionObservations rejections() {
		return this.rejections;
	}

	/**
	 * Return the observations of requests that not all rules count.
	 * @return the observations
	 */
	ExemptObservations exempt() {
		return this.exempt;
	}

	/**
	 * Return the observations of each rule that can apply to requests.
	 * @return the observations
	 */
	public Collection<RuleObservations> rules() {
		return this.rules.values();
	}

	/**
	 * Return the number of requests without the key of a rule.
	 * @param ruleId the rule
	 * @return the number since the last change of the rule
	 */
	public long lacking(String ruleId) {
		RuleObservations seen = this.rules.get(ruleId);
		return (seen != null) ? seen.lacking() : 0;
	}

	/**
	 * Return the number of requests that were checked for the key of a rule.
	 * @param ruleId the rule
	 * @return the number since the last change of the rule
	 */
	public long evaluations(String ruleId) {
		RuleObservations seen = this.rules.get(ruleId);
		return (seen != null) ? seen.evaluations() : 0;
	}

	/**
	 * Return the number of requests that a rule matched again after their decision.
	 * @return the number
	 */
	long countedTwice() {
		return this.rules.values().stream().mapToLong(RuleObservations::countedTwice).sum();
	}

	/**
	 * Return the number of sampled responses with rate limit headers of another limiter.
	 * @return the number
	 */
	long foreignHeaders() {
		return this.foreignHeaders.sum();
	}

	/**
	 * Return the number of requests whose path was rewritten between the filters and the
	 * handler.
	 * @return the number
	 */
	long rewrittenPaths() {
		return this.rewrittenPaths.sum();
	}

	@Override
	public RuleObservations watch(Rule rule) {
		RuleObservations existing = this.rules.get(rule.id());
		return (existing != null && existing.rule().equals(rule)) ? existing
				: new RuleObservations(rule, this.clock.instant());
	}

	@Override
	public void use(Collection<RuleObservations> watches) {
		Map<String, RuleObservations> next = new TreeMap<>();
		for (RuleObservations seen : watches) {
			next.put(seen.rule().id(), seen);
		}
		this.rules = next;
	}

	@Override
	public void arrived(GateRequest request) {
		if (this.sampler.takes()) {
			this.peers.saw(request);
		}
	}

	@Override
	public RequestProgress arrived(Entry entry, RequestProgress progress) {
		return this.exempt.arrived(entry, progress);
	}

	@Override
	public boolean observesPrincipal(Entry entry) {
		return this.exempt.observesPrincipal(entry);
	}

	@Override
	public void authenticated(Entry entry, GateRequest request) {
		this.exempt.authenticated(entry, request);
	}

	@Override
	public void rewritten() {
		this.rewrittenPaths.increment();
	}

	@Override
	public <R> void responding(RequestProgress progress, R response, BiPredicate<R, String> hasHeader) {
		if (progress.untouched() && this.responses.takes()
				&& QUOTA_HEADERS.stream().anyMatch((header) -> hasHeader.test(response, header))) {
			this.foreignHeaders.increment();
		}
	}

	@Override
	public void rejected(GateRequest request, boolean readable) {
		this.rejections.saw(request, readable);
	}

	@Override
	public void decided(List<AppliedRule> applied, Decision decision, long startNanos, long tookNanos) {
		if (decision.reason() == Reason.COST_ABOVE_CAPACITY) {
			String counted = "";
			for (Verdict verdict : decision.verdicts()) {
				String rule = verdict.policy().ruleId();
				if (neverFits(verdict) && !rule.equals(counted)) {
					sawOversized(verdict);
					counted = rule;
				}
			}
		}
	}

	@Override
	public boolean observesAllowed() {
		return false;
	}

	@Override
	public boolean observesRules() {
		return false;
	}

	@Override
	public boolean observesTime() {
		return false;
	}

	private static boolean neverFits(Verdict verdict) {
		return verdict.outcome().measured() && !verdict.outcome().passes() && verdict.retryAfterMillis() == Wait.NEVER;
	}

	private void sawOversized(Verdict verdict) {
		RuleObservations rule = this.rules.get(verdict.policy().ruleId());
		if (rule != null) {
			rule.sawOversized();
		}
	}

	/**
	 * Chooses the sampled requests: the first 256, then one of 64. After the first 256,
	 * it writes no shared memory. Thread-safe.
	 */
	private static final class Sampler {

		private static final int FIRST = 256;

		/** The interval of the sample, a power of two. */
		private static final int SAMPLING_INTERVAL = 64;

		// Not synchronized, because a few additional samples are harmless.
		private int seen;

		boolean takes() {
			int before = this.seen;
			if (before < FIRST) {
				this.seen = before + 1;
				return true;
			}
			return (ThreadLocalRandom.current().nextInt() & (SAMPLING_INTERVAL - 1)) == 0;
		}

	}

}
