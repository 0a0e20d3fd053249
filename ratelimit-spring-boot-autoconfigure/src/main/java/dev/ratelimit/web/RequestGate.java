package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.MissingKey;
import dev.ratelimit.Phase;
import dev.ratelimit.RequestView;
import dev.ratelimit.Verdict;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.address.IpNetworks;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.RetryKey;
import dev.ratelimit.engine.RuleUse;
import dev.ratelimit.engine.Tier;
import dev.ratelimit.rule.RuleSet;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Where requests are decided, alike on servlet and WebFlux: rules that match, whose
 * buckets, one decision a phase. Thread-safe.
 *
 * @since 0.1.0
 */
public final class RequestGate {

	private final RateLimitEngine engine;

	private final Resolvers resolvers;

	private final Callers callers;

	private final IpNetworks denied;

	private final IdempotencyKeys idempotencyKeys;

	private final Exemptions exemptions;

	private final boolean phased;

	private final RequestObservations observations;

	private final PartitionKeys partitionKeys;

	private volatile GateRules rules = GateRules.EMPTY;

	/**
	 * A gate without rules yet, to which all callers are equal, and which tells neither
	 * what it sees nor callers apart.
	 * @param engine the engine
	 * @param resolvers the application's code that rules may name
	 * @param idempotencyKeys the reader of idempotency keys
	 * @param exemptions what is never counted
	 * @param phased whether there is an authentication between the phases; otherwise all
	 * rules are late
	 */
	public RequestGate(RateLimitEngine engine, Resolvers resolvers, IdempotencyKeys idempotencyKeys,
			Exemptions exemptions, boolean phased) {
		this(engine, resolvers, Callers.EQUAL, idempotencyKeys, exemptions, phased, RequestObservations.none(),
				PartitionKeys.NONE);
	}

	/**
	 * A gate without rules yet, which tells what it sees.
	 * @param engine the engine
	 * @param resolvers the application's code that rules may name
	 * @param callers who callers are
	 * @param idempotencyKeys the reader of idempotency keys
	 * @param exemptions what is never counted
	 * @param phased whether there is an authentication between the phases; otherwise all
	 * rules are late
	 * @param observations where to tell what is seen
	 * @param partitionKeys tells callers apart in header fields
	 */
	public RequestGate(RateLimitEngine engine, Resolvers resolvers, Callers callers, IdempotencyKeys idempotencyKeys,
			Exemptions exemptions, boolean phased, RequestObservations observations, PartitionKeys partitionKeys) {
		this.engine = engine;
		this.resolvers = resolvers;
		this.callers = callers;
		this.denied = callers.denied();
		this.idempotencyKeys = idempotencyKeys;
		this.exemptions = exemptions;
		this.phased = phased;
		this.observations = observations;
		this.partitionKeys = partitionKeys;
	}

	/**
	 * Make the rules of a set ready, and decide by them from now on. The engine must have
	 * them already.
	 * @param rules the set
	 * @param handlers the rules of handler methods
	 * @param parser the parser of path patterns
	 */
	public void use(RuleSet rules, HandlerRules handlers, PathPatternParser parser) {
		List<CompiledRule> compiled = rules.rules()
			.keySet()
			.stream()
			.map(this.engine::rule)
			.flatMap(Optional::stream)
			.toList();
		this.observations.use(rules);
		GateRules ready = GateRules.of(rules,
				WebRules.of(compiled, this.resolvers, this.callers, this.phased, parser, this.observations), handlers);
		this.rules = (this.denied.isEmpty()) ? ready : ready.refusing(this.phased);
	}

	/**
	 * Finds clients' addresses.
	 * @return the finder, for those who make requests for this gate
	 */
	public ClientAddresses addresses() {
		return this.callers.addresses();
	}

	/**
	 * What is seen of requests.
	 * @return the observations
	 */
	public RequestObservations observations() {
		return this.observations;
	}

	/**
	 * Whether a phase has anything to decide.
	 * @param phase early or late
	 * @return whether there are rules
	 */
	public boolean has(Phase phase) {
		return (phase == Phase.EARLY) ? this.rules.early() : this.rules.late();
	}

	/**
	 * Whether no other phase decides after this one, so that a request which a limit
	 * holds waits here.
	 * @param phase early or late
	 * @return whether the phase is the last
	 */
	public boolean isLast(Phase phase) {
		return !this.rules.hasAfter(phase);
	}

	/**
	 * Whether a later phase may leave something to do when a request ends. The filter of
	 * this phase is further out, and learns the status that is sent.
	 * @param phase early or late
	 * @return whether requests must be watched to their end
	 */
	public boolean endsAfter(Phase phase) {
		return phase == Phase.EARLY && this.rules.rules().endsLate();
	}

	/**
	 * Decide a request in one phase.
	 * @param phase early or late
	 * @param request the request
	 * @param sofar how far the request has come in the phase before
	 * @return how far it is now
	 */
	public CompletableFuture<Passage> enter(Phase phase, GateRequest request, Passage sofar) {
		return pass(phase, request, sofar);
	}

	private CompletableFuture<Passage> pass(Phase phase, GateRequest request, Passage sofar) {
		GateRules current = this.rules;
		boolean exempt = isExempt(request);
		if (current.isFirst(phase)) {
			if (!exempt) {
				this.observations.arrived(request);
			}
			if (isDenied(request)) {
				return CompletableFuture.completedFuture(sofar.decided(this.engine.banned(), 0, Completion.NONE));
			}
		}
		if (exempt) {
			return CompletableFuture.completedFuture(sofar);
		}
		HandlerIndex index = current.handlers().index();
		Lookup known = sofar.lookup();
		if (known != null && known.answers(index, request)) {
			return decide(current, request, sofar, current.matches(phase, request, known.served()));
		}
		CompletableFuture<Optional<HandlerIndex.Served>> found = index.find(request);
		// Most indices tell at once.
		return (found.isDone() && !found.isCompletedExceptionally())
				? found(current, phase, request, sofar, found.join())
				: found.thenCompose((served) -> found(current, phase, request, sofar, served));
	}

	/**
	 * Decide a request whose path has changed since it was decided, or that no filter has
	 * decided: by the rules of its path now, without those that have decided it.
	 * @param request the request
	 * @param sofar how far the request has come
	 * @return how far it is now
	 */
	public CompletableFuture<Passage> enterRewritten(GateRequest request, Passage sofar) {
		GateRules current = this.rules;
		this.observations.sawRewritten();
		if (isDenied(request)) {
			return CompletableFuture.completedFuture(sofar.decided(this.engine.banned(), 0, Completion.NONE));
		}
		if (isExempt(request)) {
			return CompletableFuture.completedFuture(sofar);
		}
		return current.handlers()
			.index()
			.find(request)
			.thenCompose((served) -> decide(current, request, sofar,
					current.matches(request, served).stream().filter((match) -> !hasCharged(sofar, match)).toList()));
	}

	private CompletableFuture<Passage> found(GateRules current, Phase phase, GateRequest request, Passage sofar,
			Optional<HandlerIndex.Served> served) {
		boolean again = current.hasAfter(phase);
		Passage knowing = (again) ? sofar.knowing(Lookup.of(current.handlers().index(), request, served)) : sofar;
		return decide(current, request, knowing, current.matches(phase, request, served));
	}

	private CompletableFuture<Passage> decide(GateRules current, GateRequest request, Passage sofar,
			List<MatchedRule> matches) {
		if (!current.rules().readForms() || matches.stream().noneMatch((match) -> match.rule().readsForm())) {
			return decide(request, sofar, matches);
		}
		// A form that cannot be read is counted like any other, and then as wrong here as
		// it would have been behind.
		return request.form()
			.handle((form, failure) -> Optional.ofNullable(failure))
			.thenCompose((failure) -> decide(request, sofar, matches)
				.thenCompose((passage) -> (failure.isPresent() && passage.allowed()) ? failed(passage, failure.get())
						: CompletableFuture.completedFuture(passage)));
	}

	private static CompletableFuture<Passage> failed(Passage passage, Throwable failure) {
		passage.free();
		return CompletableFuture.failedFuture(failure);
	}

	private CompletableFuture<Passage> decide(GateRequest request, Passage sofar, List<MatchedRule> matches) {
		List<RuleUse> uses = new ArrayList<>(matches.size());
		boolean retriable = false;
		for (MatchedRule match : matches) {
			CompiledRule rule = match.rule().compiled();
			if (hasDecided(sofar, match)) {
				this.observations.sawTwice();
			}
			AccessList.Standing standing = match.rule().access().of(request);
			String subject = (standing == AccessList.Standing.LIMITED) ? match.subject(request) : null;
			if (isAgain(uses, rule, standing, subject)) {
				continue;
			}
			if (standing != AccessList.Standing.LIMITED) {
				uses.add((standing == AccessList.Standing.BANNED) ? RuleUse.banned(rule) : RuleUse.bypassed(rule));
			}
			else if (subject != null) {
				Tier tier = tier(rule, request);
				uses.add(new RuleUse(rule, tier, subject, match.rule().cost().cost(request, tier)));
				retriable |= rule.rule().reaction().idempotency();
			}
			else if (rule.rule().key().onMissing() == MissingKey.DENY) {
				return CompletableFuture
					.completedFuture(sofar.decided(this.engine.keyMissing(rule), 0, Completion.NONE));
			}
		}
		if (uses.isEmpty()) {
			return CompletableFuture.completedFuture(sofar);
		}
		Optional<RetryKey> retry = (retriable) ? this.idempotencyKeys.read(request) : Optional.empty();
		return decide(uses, retry, sofar);
	}

	// A rule that both paths of a request match charges each subject once.
	private static boolean isAgain(List<RuleUse> uses, CompiledRule rule, AccessList.Standing standing,
			@Nullable String subject) {
		RuleUse last = (uses.isEmpty()) ? null : uses.get(uses.size() - 1);
		return last != null && last.rule() == rule
				&& (standing != AccessList.Standing.LIMITED || last.subject().equals(subject));
	}

	// Of rules that share a bucket, one alone may stand for all.
	private boolean hasCharged(Passage sofar, MatchedRule match) {
		Optional<String> bucket = match.rule().compiled().rule().numbers().bucket();
		return hasDecided(sofar, match) || (bucket.isPresent() && sofar.decision()
			.verdicts()
			.stream()
			.flatMap((verdict) -> this.engine.rule(verdict.policy().ruleId()).stream())
			.anyMatch((rule) -> rule.rule().numbers().bucket().equals(bucket)));
	}

	// A rule belongs to one phase: it meets a request again only where the request comes
	// through a second filter of that phase.
	private static boolean hasDecided(Passage sofar, MatchedRule match) {
		List<Verdict> verdicts = sofar.decision().verdicts();
		for (int i = 0; i < verdicts.size(); i++) {
			if (verdicts.get(i).policy().ruleId().equals(match.id())) {
				return true;
			}
		}
		return false;
	}

	private CompletableFuture<Passage> decide(List<RuleUse> uses, Optional<RetryKey> retry, Passage sofar) {
		long startNanos = System.nanoTime();
		long budgetNanos = this.engine.deadline().toNanos() - sofar.spentNanos();
		return this.engine.decide(uses, retry, budgetNanos).thenApply((decision) -> {
			this.observations.decided(decision);
			return sofar.decided(decision, System.nanoTime() - startNanos, Completion.of(decision, uses))
				.partitioned(this.partitionKeys.of(uses));
		});
	}

	GateRules rules() {
		return this.rules;
	}

	/**
	 * The plan of a caller.
	 * @param request the caller's request
	 * @return the plan, if anything tells it
	 */
	Optional<String> plan(RequestView request) {
		return this.resolvers.plan().flatMap((resolver) -> resolver.plan(request));
	}

	/**
	 * Whether a request is counted by no rule at all.
	 * @param request the request
	 * @return whether it is exempt
	 */
	boolean isExempt(GateRequest request) {
		return request.management() || isPreflight(request) || this.exemptions.covers(request);
	}

	/**
	 * Whether a request is refused whatever rules apply.
	 * @param request the request
	 * @return whether its address is on the list of all rules, and it does not ask for
	 * health
	 */
	boolean isDenied(GateRequest request) {
		return !this.denied.isEmpty() && this.denied.contains(request.client().address()) && !request.management()
				&& !this.exemptions.coversHealth(request);
	}

	private Tier tier(CompiledRule rule, RequestView request) {
		if (rule.plans().isEmpty()) {
			return rule.own();
		}
		Optional<String> plan = plan(request);
		Optional<Tier> tier = plan.flatMap(rule::plan);
		if (plan.isPresent() && tier.isEmpty()) {
			this.engine.planUnknown(rule);
		}
		return tier.orElse(rule.own());
	}

	private static boolean isPreflight(GateRequest request) {
		return request.method().equals("OPTIONS") && !request.headers(HttpHeaders.ORIGIN).isEmpty()
				&& !request.headers(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD).isEmpty();
	}

}
