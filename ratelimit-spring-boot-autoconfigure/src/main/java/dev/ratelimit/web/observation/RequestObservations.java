package dev.ratelimit.web.observation;

import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

import dev.ratelimit.Decision;
import dev.ratelimit.Reason;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.Wait;
import dev.ratelimit.gate.Call;
import dev.ratelimit.gate.ObservedPassage;
import dev.ratelimit.gate.PassageObserver;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.web.request.GateRequest;

/**
 * Internal: what the gate has seen of requests, in counts, for those who look for what is
 * wrong. A request costs it a flag that is read for each rule; what costs more is done
 * for samples and for rejections alone. Holds no client. Thread-safe.
 */
public final class RequestObservations implements PassageObserver {

	/** What other limiters write, too. */
	private static final List<String> QUOTA_HEADERS = List.of("RateLimit", "X-RateLimit-Remaining",
			"X-Rate-Limit-Remaining");

	private final InstantSource clock;

	private final boolean active;

	/** The same for all calls: nothing of a call is kept. */
	private final ObservedPassage passage = this::decided;

	private final Sampler sampler = new Sampler();

	private final Sampler responses = new Sampler();

	private final PeerObservations peers;

	private final RejectionObservations rejections = new RejectionObservations();

	private final ExemptObservations exempt;

	private final LongAdder countedTwice = new LongAdder();

	private final LongAdder foreignHeaders = new LongAdder();

	private final LongAdder rewritten = new LongAdder();

	private volatile Map<String, RuleObservations> rules = Map.of();

	/**
	 * Observe requests.
	 * @param clock tells since when
	 * @param trusted whether the forwarded headers of a request are believed
	 */
	public RequestObservations(InstantSource clock, Predicate<GateRequest> trusted) {
		this(clock, trusted, true);
	}

	private RequestObservations(InstantSource clock, Predicate<GateRequest> trusted, boolean active) {
		this.clock = clock;
		this.active = active;
		this.peers = new PeerObservations(trusted);
		this.exempt = new ExemptObservations(active);
	}

	/**
	 * Observe nothing but rules.
	 * @return observations that nobody looks at
	 */
	public static RequestObservations none() {
		return new RequestObservations(InstantSource.system(), (request) -> true, false);
	}

	/**
	 * From whom requests came.
	 * @return the observations
	 */
	public PeerObservations peers() {
		return this.peers;
	}

	/**
	 * What rejections looked like.
	 * @return the observations
	 */
	public RejectionObservations rejections() {
		return this.rejections;
	}

	/**
	 * What was seen of requests that not all rules count.
	 * @return the observations
	 */
	public ExemptObservations exempt() {
		return this.exempt;
	}

	/**
	 * What was seen of each rule that requests can meet.
	 * @return the observations
	 */
	public Collection<RuleObservations> rules() {
		return this.rules.values();
	}

	/**
	 * How many requests came to a rule that had decided them already.
	 * @return the count
	 */
	public long countedTwice() {
		return this.countedTwice.sum();
	}

	/**
	 * How many sampled requests had quota headers of somebody else's on their response.
	 * @return the count
	 */
	public long foreignHeaders() {
		return this.foreignHeaders.sum();
	}

	/**
	 * How many requests were served by another path than the one that the filters saw.
	 * @return the count
	 */
	public long rewritten() {
		return this.rewritten.sum();
	}

	/**
	 * A request was rejected.
	 * @param request the request
	 * @param readable whether the response lets pages of other origins read it
	 */
	public void rejected(GateRequest request, boolean readable) {
		if (this.active) {
			this.rejections.saw(request, readable);
		}
	}

	/**
	 * Whether the response of a request should be {@linkplain #answering looked at}
	 * before anything is written to it.
	 * @param sofar how far the request has come before
	 * @return whether it is a sample, and nothing of ours can be on it
	 */
	public boolean looksAtResponse(RequestProgress sofar) {
		return sofar.untouched() && this.active && this.responses.takes();
	}

	/**
	 * A response, before anything is written to it here.
	 * @param header whether it has a header
	 */
	public void answering(Predicate<String> header) {
		if (QUOTA_HEADERS.stream().anyMatch(header)) {
			this.foreignHeaders.increment();
		}
	}

	// What is known of a rule that has not changed stays known.
	public void follow(RuleSet set, Map<String, RuleObservations> compiled) {
		Map<String, RuleObservations> next = new TreeMap<>();
		set.rules().forEach((id, rule) -> {
			RuleObservations known = compiled.get(id);
			next.put(id, (known != null) ? known : of(rule));
		});
		this.rules = next;
	}

	public RuleObservations of(Rule rule) {
		RuleObservations known = this.rules.get(rule.id());
		return (known != null && known.rule().equals(rule)) ? known : new RuleObservations(rule, this.clock.instant());
	}

	public void arrived(GateRequest request) {
		if (this.active && this.sampler.takes()) {
			this.peers.saw(request);
		}
	}

	public void sawRewritten() {
		this.rewritten.increment();
	}

	@Override
	public void sawTwice() {
		this.countedTwice.increment();
	}

	@Override
	public ObservedPassage enter(Call call, RequestProgress sofar) {
		return this.passage;
	}

	private void decided(Decision decision) {
		if (!decision.allowed() && decision.reason() == Reason.COST_ABOVE_CAPACITY) {
			decision.verdicts().stream().filter(RequestObservations::neverFits).forEach(this::sawOversized);
		}
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

}
