package dev.ratelimit.web;

import java.util.concurrent.CompletableFuture;

import dev.ratelimit.Phase;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.engine.Edition;
import dev.ratelimit.engine.EditionPart;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.CandidateStage;
import dev.ratelimit.gate.PassageObserver;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.gate.RuleStage;
import org.jspecify.annotations.Nullable;

import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Internal: the gate for HTTP requests on servlet and WebFlux: exemptions, matching by
 * paths and handlers, and one decision in each phase. Thread-safe.
 */
public final class RequestGate {

	private final RateLimitEngine engine;

	private final GateSettings settings;

	private final ClientAddresses addresses;

	private final RequestObserver observer;

	private final Exemptions exemptions;

	private final RequestStages stages;

	private final LoadStage load;

	/** The rules; null until the handler methods are known. */
	private volatile @Nullable EditionPart<GateRules> part;

	/**
	 * Create a gate without rules yet.
	 * @param engine the engine
	 * @param settings the settings
	 */
	public RequestGate(RateLimitEngine engine, GateSettings settings) {
		this(engine, settings, PassageObserver.NONE);
	}

	/**
	 * Create an observed gate without rules yet.
	 * @param engine the engine
	 * @param settings the settings
	 * @param observer observes the decisions
	 */
	public RequestGate(RateLimitEngine engine, GateSettings settings, PassageObserver observer) {
		this(engine, settings, observer, LoadStage.NONE);
	}

	/**
	 * Create an observed and protected gate without rules yet.
	 * @param engine the engine
	 * @param settings the settings
	 * @param observer observes the decisions
	 * @param load the load guard of this instance
	 */
	public RequestGate(RateLimitEngine engine, GateSettings settings, PassageObserver observer, LoadStage load) {
		this.load = load;
		this.engine = engine;
		this.settings = settings;
		this.addresses = settings.callers().addresses();
		this.observer = settings.observer();
		this.exemptions = new Exemptions(settings.managementPaths(), settings.callers().denied(),
				settings.preflightHeaders());
		this.stages = new RequestStages(engine, this.exemptions, settings.observer(), load, settings.levels(),
				stage("early", observer), stage("late", observer), new CandidateStage<>(settings), this::rules);
	}

	private RuleStage<GateRequest> stage(String phase, PassageObserver observer) {
		return new RuleStage<>(this.engine, this.settings, this.settings.partitionKeys(), phase, observer);
	}

	/**
	 * Apply the rules of the active edition and of all later ones.
	 * @param handlers the rules of handler methods
	 * @param parser the parser of path patterns
	 */
	public void bind(HandlerRules handlers, PathPatternParser parser) {
		WebRuleCompiler compiler = WebRuleCompiler.of(this.settings, parser);
		EditionPart<GateRules> bound = this.engine.editions().addPart(GateRules.EMPTY, (next, before) -> {
			GateRules ready = GateRules.of(next, WebRules.of(next.compiled().values(), compiler, before.rules()),
					handlers);
			GateRules guarded = ready.guarded(this.load);
			return (this.exemptions.deniesAny()) ? guarded.withDeniedAddresses(this.settings.phased()) : guarded;
		});
		this.part = bound;
		this.engine.editions().addListener((edition) -> observer().use(bound.in(edition).rules().watches()));
	}

	/**
	 * Bind a request to the active edition of the rules, unless it is bound to one
	 * already.
	 * @param progress the progress of the request
	 * @return the progress with an edition
	 */
	public RequestProgress begin(RequestProgress progress) {
		return (progress.edition() != null) ? progress : rules(this.engine.editions().current()).start();
	}

	/**
	 * Return the exemptions and the denied addresses.
	 * @return the first stage
	 */
	public Exemptions exemptions() {
		return this.exemptions;
	}

	/**
	 * Return the settings of this gate.
	 * @return the settings
	 */
	public GateSettings settings() {
		return this.settings;
	}

	/**
	 * Return the rules of an edition, compiled for requests.
	 * @param edition the edition
	 * @return the rules
	 */
	public GateRules rules(Edition edition) {
		EditionPart<GateRules> bound = this.part;
		return (bound != null) ? bound.in(edition) : GateRules.EMPTY;
	}

	private GateRules rules(RequestProgress progress) {
		return (progress.edition() != null) ? rules(progress.edition()) : GateRules.EMPTY;
	}

	/**
	 * Return the finder of clients' addresses.
	 * @return the finder, for simulated requests of this gate
	 */
	public ClientAddresses addresses() {
		return this.addresses;
	}

	/**
	 * Return the observer of requests.
	 * @return the observer
	 */
	public RequestObserver observer() {
		return this.observer;
	}

	/**
	 * Return whether the principal of a request must be observed after authentication
	 * because no rule counts the request. If the late phase has rules, it observes the
	 * principal itself.
	 * @param phase early or late
	 * @param progress the progress of the request
	 * @return whether {@link #observeExempt} must be called
	 */
	public boolean observesExempt(Phase phase, RequestProgress progress) {
		return phase == Phase.LATE && progress.matched() instanceof Entry entry && observer().observesPrincipal(entry);
	}

	/**
	 * Observe a request that no rule counts, after authentication.
	 * @param request the request
	 * @param progress the progress of the request
	 */
	public void observeExempt(GateRequest request, RequestProgress progress) {
		if (progress.matched() instanceof Entry entry) {
			observer().authenticated(entry, request);
		}
	}

	/**
	 * Return whether a phase has any rules.
	 * @param phase early or late
	 * @param progress the progress of the request
	 * @return whether there are rules
	 */
	public boolean has(Phase phase, RequestProgress progress) {
		return rules(progress).has(phase);
	}

	/**
	 * Return whether no other phase follows, so that a request that a limit delays waits
	 * here.
	 * @param phase early or late
	 * @param progress the progress of the request
	 * @return whether the phase is the last
	 */
	public boolean isLast(Phase phase, RequestProgress progress) {
		return !rules(progress).hasAfter(phase);
	}

	/**
	 * Return whether requests take a seat in a phase.
	 * @param phase early or late
	 * @return whether the instance is protected by it
	 */
	public boolean seats(Phase phase) {
		return this.load.isOf(phase);
	}

	/**
	 * Return the stage that protects this instance.
	 * @return the stage
	 */
	LoadStage load() {
		return this.load;
	}

	/**
	 * Return whether the end of a request may require work of a later phase. The filter
	 * of this phase is further outside, so it finds out the final status.
	 * @param phase early or late
	 * @param progress the progress of the request
	 * @return whether requests must be watched to their end
	 */
	public boolean endsAfter(Phase phase, RequestProgress progress) {
		return phase == Phase.EARLY && rules(progress).rules().endsLate();
	}

	/**
	 * Count an allowed request once, when the first rule applies to it.
	 * @param counted whether a rule has applied to it before
	 * @param after the progress of the request
	 */
	public void count(boolean counted, RequestProgress after) {
		if (!counted && !after.untouched()) {
			this.engine.requests().limited();
		}
	}

	/**
	 * Evaluate the rules of a scope that do not require a form.
	 * @param scope the rules
	 * @param request the request
	 * @param progress the progress of the request
	 * @return the new progress
	 */
	public CompletableFuture<RequestProgress> enter(RuleScope scope, GateRequest request, RequestProgress progress) {
		return passage(scope, Passage.Part.FIRST, request, begin(progress)).enter();
	}

	/**
	 * Return whether the form of a request may have to be read, to evaluate the rules
	 * that require it once the other rules of a scope have allowed the request.
	 * @param request the request
	 * @param progress the progress of the request
	 * @return whether {@link #enterForm} must be called
	 */
	public boolean readsForm(GateRequest request, RequestProgress progress) {
		RequestProgress begun = begin(progress);
		return this.stages.readForms(rules(begun), begun) && request.carriesForm();
	}

	/**
	 * Read the form of a request if a rule of a scope requires it, and evaluate these
	 * rules.
	 * @param scope the rules
	 * @param request the request
	 * @param progress the progress after the other rules
	 * @return the new progress; fails if the form cannot be read
	 */
	public CompletableFuture<RequestProgress> enterForm(RuleScope scope, GateRequest request,
			RequestProgress progress) {
		return passage(scope, Passage.Part.FORM, request, progress).enterForm();
	}

	/**
	 * Read the form of a request if one of its fields may select the handler, find the
	 * handler again, and evaluate its rules, except those that have already charged the
	 * request.
	 * @param scope the rules
	 * @param request the request
	 * @param progress the progress after the other rules
	 * @return the new progress; fails if the form cannot be read
	 */
	public CompletableFuture<RequestProgress> enterSelected(RuleScope scope, GateRequest request,
			RequestProgress progress) {
		return passage(scope, Passage.Part.SELECTED, request, progress).enterSelected();
	}

	private Passage passage(RuleScope scope, Passage.Part part, GateRequest request, RequestProgress progress) {
		return Passage.of(scope, part, this.stages, rules(progress), request, progress);
	}

}
