package dev.ratelimit.web;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.Phase;
import dev.ratelimit.RequestView;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.address.IpNetworks;
import dev.ratelimit.engine.Edition;
import dev.ratelimit.engine.EditionPart;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.RetryKey;
import dev.ratelimit.gate.CallReader;
import dev.ratelimit.gate.PartitionKeys;
import dev.ratelimit.gate.Passage;
import dev.ratelimit.gate.RuleStage;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Internal: where requests are decided, alike on servlet and WebFlux: rules that match,
 * whose buckets, one decision a phase. Thread-safe.
 */
public final class RequestGate {

	private final RateLimitEngine engine;

	private final Resolvers resolvers;

	private final Callers callers;

	private final IpNetworks denied;

	private final Exemptions exemptions;

	private final boolean phased;

	private final RequestObservations observations;

	private final RuleStage<GateRequest> stage;

	/** Null until the handler methods are known. */
	private volatile @Nullable EditionPart<GateRules> part;

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
		this.exemptions = exemptions;
		this.phased = phased;
		this.observations = observations;
		this.stage = new RuleStage<>(engine, new CallReader<>() {

			@Override
			public Optional<String> plan(GateRequest request) {
				return RequestGate.this.plan(request);
			}

			@Override
			public Optional<RetryKey> retryKey(GateRequest request) {
				return idempotencyKeys.read(request);
			}

		}, partitionKeys, observations);
	}

	/**
	 * Apply the rules of all editions to come, and of the active one.
	 * @param handlers the rules of handler methods
	 * @param parser the parser of path patterns
	 */
	public void bind(HandlerRules handlers, PathPatternParser parser) {
		Preparation preparation = Preparation.of(this.resolvers, this.callers, this.phased, parser, this.observations);
		EditionPart<GateRules> bound = this.engine.editions().addPart(GateRules.EMPTY, (next, before) -> {
			GateRules ready = GateRules.of(next, WebRules.of(next.compiled().values(), preparation, before.rules()),
					handlers);
			return (this.denied.isEmpty()) ? ready : ready.refusing(this.phased);
		});
		this.part = bound;
		this.engine.editions()
			.addListener((edition) -> this.observations.follow(edition.rules(), edition.get(bound).rules()));
	}

	/**
	 * Let a request meet the active edition of the rules, unless it has met one already.
	 * @param sofar how far the request has come
	 * @return how far it has come, with its edition
	 */
	public Passage begin(Passage sofar) {
		return (sofar.edition() != null) ? sofar : rules(this.engine.editions().current()).start();
	}

	GateRules rules(Edition edition) {
		EditionPart<GateRules> bound = this.part;
		return (bound != null) ? edition.get(bound) : GateRules.EMPTY;
	}

	private GateRules rules(Passage sofar) {
		return (sofar.edition() != null) ? rules(sofar.edition()) : GateRules.EMPTY;
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
	 * @param sofar how far the request has come
	 * @return whether there are rules
	 */
	public boolean has(Phase phase, Passage sofar) {
		return rules(sofar).has(phase);
	}

	/**
	 * Whether no other phase decides after this one, so that a request which a limit
	 * holds waits here.
	 * @param phase early or late
	 * @param sofar how far the request has come
	 * @return whether the phase is the last
	 */
	public boolean isLast(Phase phase, Passage sofar) {
		return !rules(sofar).hasAfter(phase);
	}

	/**
	 * Whether a later phase may leave something to do when a request ends. The filter of
	 * this phase is further out, and learns the status that is sent.
	 * @param phase early or late
	 * @param sofar how far the request has come
	 * @return whether requests must be watched to their end
	 */
	public boolean endsAfter(Phase phase, Passage sofar) {
		return phase == Phase.EARLY && rules(sofar).rules().endsLate();
	}

	/**
	 * Decide a request in one phase.
	 * @param phase early or late
	 * @param request the request
	 * @param sofar how far the request has come in the phase before
	 * @return how far it is now
	 */
	public CompletableFuture<Passage> enter(Phase phase, GateRequest request, Passage sofar) {
		return pass(phase, request, begin(sofar));
	}

	private CompletableFuture<Passage> pass(Phase phase, GateRequest request, Passage sofar) {
		GateRules current = rules(sofar);
		boolean exempt = isExempt(request);
		if (current.isFirst(phase)) {
			if (!exempt) {
				this.observations.arrived(request);
			}
			if (isDenied(request)) {
				return CompletableFuture.completedFuture(sofar.rejected(this.engine.banned()));
			}
		}
		if (exempt) {
			return CompletableFuture.completedFuture(sofar);
		}
		HandlerIndex index = current.handlers().index();
		Lookup known = Lookup.in(sofar);
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
		return passRewritten(request, begin(sofar));
	}

	private CompletableFuture<Passage> passRewritten(GateRequest request, Passage sofar) {
		GateRules current = rules(sofar);
		this.observations.sawRewritten();
		if (isDenied(request)) {
			return CompletableFuture.completedFuture(sofar.rejected(this.engine.banned()));
		}
		if (isExempt(request)) {
			return CompletableFuture.completedFuture(sofar);
		}
		return current.handlers()
			.index()
			.find(request)
			.thenCompose((served) -> decide(current, request, sofar,
					current.matches(request, served)
						.stream()
						.filter((match) -> !hasCharged(current, sofar, match))
						.toList()));
	}

	private CompletableFuture<Passage> found(GateRules current, Phase phase, GateRequest request, Passage sofar,
			Optional<HandlerIndex.Served> served) {
		boolean again = current.hasAfter(phase);
		Passage knowing = (again) ? sofar.knowing(Lookup.of(current.handlers().index(), request, served)) : sofar;
		return decide(current, request, knowing, current.matches(phase, request, served));
	}

	private CompletableFuture<Passage> decide(GateRules current, GateRequest request, Passage sofar,
			List<MatchedRule> matches) {
		if (!current.rules().readForms() || matches.stream().noneMatch((match) -> match.web().readsForm())) {
			return this.stage.enter(matches, request, sofar);
		}
		// A form that cannot be read is counted like any other, and then as wrong here as
		// it would have been behind.
		return request.form()
			.handle((form, failure) -> Optional.ofNullable(failure))
			.thenCompose((failure) -> this.stage.enter(matches, request, sofar)
				.thenCompose((passage) -> (failure.isPresent() && passage.allowed()) ? failed(passage, failure.get())
						: CompletableFuture.completedFuture(passage)));
	}

	private static CompletableFuture<Passage> failed(Passage passage, Throwable failure) {
		passage.free();
		return CompletableFuture.failedFuture(failure);
	}

	// Of rules that share a bucket, one alone may stand for all.
	private boolean hasCharged(GateRules current, Passage sofar, MatchedRule match) {
		Optional<String> bucket = match.web().compiled().rule().numbers().bucket();
		return this.stage.hasDecided(sofar, match.rule()) || (bucket.isPresent() && sofar.decision()
			.verdicts()
			.stream()
			.map((verdict) -> current.rules().byId().get(verdict.policy().ruleId()))
			.anyMatch((rule) -> rule != null && rule.compiled().rule().numbers().bucket().equals(bucket)));
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

	private static boolean isPreflight(GateRequest request) {
		return request.method().equals("OPTIONS") && !request.headers(HttpHeaders.ORIGIN).isEmpty()
				&& !request.headers(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD).isEmpty();
	}

}
