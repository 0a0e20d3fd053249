package dev.ratelimit.web;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import dev.ratelimit.Decision;
import dev.ratelimit.Reservation;
import dev.ratelimit.engine.CandidateTrial;
import dev.ratelimit.engine.CompiledLimits;
import dev.ratelimit.gate.AccessList;
import dev.ratelimit.gate.Ending;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.gate.RuleStage;
import org.jspecify.annotations.Nullable;

import org.springframework.web.ErrorResponse;

/**
 * A request on its way through the rules of one scope: the rules of its edition, the
 * handler that serves it, and its progress. Methods may run on different threads, but
 * never at the same time.
 */
abstract sealed class Passage permits PhasePassage, RewrittenPassage, NamedPassage {

	final RequestStages stages;

	final GateRules rules;

	final GateRequest request;

	private final RuleStage<GateRequest> stage;

	private final Part part;

	private RequestProgress progress;

	private Optional<HandlerIndex.Served> served = Optional.empty();

	/**
	 * Create the passage of a request under rules.
	 * @param stages the stages
	 * @param stage charges the request
	 * @param rules the rules of its edition
	 * @param part the rules that are evaluated in this step
	 * @param request the request
	 * @param progress the progress of the request
	 */
	Passage(RequestStages stages, RuleStage<GateRequest> stage, GateRules rules, Part part, GateRequest request,
			RequestProgress progress) {
		this.stages = stages;
		this.stage = stage;
		this.rules = rules;
		this.part = part;
		this.request = request;
		this.progress = progress;
	}

	/**
	 * Create the passage of a request under the rules of a scope.
	 * @param scope the scope
	 * @param part the rules of the scope that are evaluated in this step
	 * @param stages the stages
	 * @param rules the rules of its edition
	 * @param request the request
	 * @param progress the progress of the request
	 * @return its passage
	 */
	static Passage of(RuleScope scope, Part part, RequestStages stages, GateRules rules, GateRequest request,
			RequestProgress progress) {
		if (scope instanceof RuleScope.OfPhase of) {
			return new PhasePassage(of.phase(), stages, rules, part, request, progress);
		}
		return (scope instanceof RuleScope.OfRewrittenPath rewritten)
				? new RewrittenPassage(rewritten.late(), stages, rules, part, request, progress)
				: new NamedPassage((NamedRules) scope, stages, rules, part, request, progress);
	}

	/**
	 * Evaluate the rules that do not require a form.
	 * @return the progress of the request
	 */
	abstract CompletableFuture<RequestProgress> enter();

	/**
	 * Find the rules of this scope that match the request.
	 * @param edition the rules of an edition
	 * @return the rules
	 */
	abstract List<MatchedRule> matches(GateRules edition);

	/**
	 * Return the kind of the request under this scope.
	 * @return the kind, which determines the rules that count the request
	 */
	abstract Entry entry();

	/**
	 * Omit the rules that have already charged the request.
	 * @param matches the rules that match the request
	 * @param edition the edition of these rules
	 * @return the other rules
	 */
	abstract List<MatchedRule> fresh(List<MatchedRule> matches, GateRules edition);

	/**
	 * Return whether the route must be found before the rules are charged.
	 * @param matches the rules that match the request
	 * @param trial the candidate; null if there is none
	 * @return whether an active rule or a rule of the candidate has the route in its key
	 */
	boolean readsRoute(List<MatchedRule> matches, @Nullable CandidateTrial trial) {
		return this.rules.readRoute(matches) || (trial != null && this.stages.rules(trial).rules().readRoutes());
	}

	List<MatchedRule> on(Optional<String> route, List<MatchedRule> matches) {
		return GateRules.on(route, matches);
	}

	final RequestProgress progress() {
		return this.progress;
	}

	final void update(RequestProgress changed) {
		this.progress = changed;
	}

	final RuleStage<GateRequest> stage() {
		return this.stage;
	}

	final Part part() {
		return this.part;
	}

	final LoadStage load() {
		return this.stages.load();
	}

	/**
	 * Keep the handler that serves the request. The rules of a handler apply only if it
	 * is certain that it serves the request.
	 * @param handler the handler, if one with rules serves the request
	 */
	void located(Optional<HandlerIndex.Served> handler) {
		serveIfCertain(handler);
	}

	final void serveIfCertain(Optional<HandlerIndex.Served> handler) {
		serve((isSelected()) ? handler : Optional.empty());
	}

	final void serve(Optional<HandlerIndex.Served> handler) {
		this.served = handler;
	}

	final Optional<HandlerIndex.Served> served() {
		return this.served;
	}

	final boolean isSelected() {
		return this.part == Part.SELECTED || !this.request.isSelectedByFields();
	}

	final CompletableFuture<RequestProgress> rejectDenied() {
		return this.stage.reject(this.request, this.progress, this.stages.engine().denyListed());
	}

	final List<MatchedRule> counting(List<MatchedRule> matches, Entry entry) {
		return matches.stream().filter((match) -> match.counts(entry, this.request)).toList();
	}

	final List<MatchedRule> matches() {
		return matches(this.rules);
	}

	final CompletableFuture<RequestProgress> charge(List<MatchedRule> matches) {
		CandidateTrial trial = this.stages.engine().trial(this.progress.edition());
		if (!readsRoute(matches, trial)) {
			return decide(matches, trial);
		}
		Lookup lookup = Lookup.in(this.progress);
		HandlerIndex index = this.rules.handlers().index();
		if (lookup != null && lookup.route().isPresent() && lookup.answers(index, this.request)) {
			return decide(on(route(), matches), trial);
		}
		return index.findRoute(this.request).thenCompose((route) -> {
			// The kind of a request is found only once, so it must not be overwritten.
			if (!(this.progress.matched() instanceof Entry) && isSelected()) {
				this.progress = this.progress
					.knowing(Lookup.of(index, this.request, this.served).on(route, this.progress));
			}
			return decide(on(route, matches), trial);
		});
	}

	// Empty if the route was not looked up, or if no handler serves the request.
	private Optional<String> route() {
		Lookup lookup = Lookup.in(this.progress);
		return (lookup != null) ? lookup.route().flatMap(Lookup.ServedRoute::pattern) : Optional.empty();
	}

	private CompletableFuture<RequestProgress> decide(List<MatchedRule> all, @Nullable CandidateTrial trial) {
		List<MatchedRule> matches = deciding(fresh(all, this.rules));
		UnaryOperator<CompiledLimits> level = level(matches);
		// Requests that not all rules count are not compared with a candidate.
		if (trial == null || this.progress.matched() instanceof Entry) {
			return this.stage.enter(matches, this.request, this.progress, level);
		}
		Consumer<Decision> comparison = compare(trial);
		return this.stage.enter(matches, this.request, this.progress, level).thenApply((decided) -> {
			decided.afterWait().thenAccept((result) -> comparison.accept(result.decision()));
			return decided;
		});
	}

	// Matches the request with the rules of the candidate before the active rules decide.
	private Consumer<Decision> compare(CandidateTrial trial) {
		GateRules candidate = this.stages.rules(trial);
		return this.stages.candidates()
			.begin(trial, matches(candidate, route()), this.request, this.progress.decision().verdicts().size(),
					(id) -> !isMoved(candidate, id));
	}

	private List<MatchedRule> matches(GateRules candidate, Optional<String> route) {
		return fresh(deciding(on(route, matches(candidate))), candidate);
	}

	// Whether the candidate evaluates the rule in another phase or part of it, so that
	// the decisions cannot be compared.
	private boolean isMoved(GateRules candidate, String id) {
		WebRule before = this.rules.rules().byId().get(id);
		WebRule after = candidate.rules().byId().get(id);
		return before != null && after != null && (before.phase() != after.phase()
				|| (this.request.carriesForm() && before.readsForm(this.request) != after.readsForm(this.request)));
	}

	// The rules that are evaluated now: those that require a form, or all others.
	private List<MatchedRule> deciding(List<MatchedRule> matches) {
		// Avoids a copy, because most rules require no form.
		for (int i = 0; i < matches.size(); i++) {
			if (!decides(matches.get(i))) {
				return matches.stream().filter(this::decides).toList();
			}
		}
		return matches;
	}

	private boolean decides(MatchedRule match) {
		if (this.part == Part.SELECTED) {
			return true;
		}
		boolean open = match.web().readsRoute() && !isSelected();
		return !open && requiresForm(match) == (this.part == Part.FORM);
	}

	private boolean requiresForm(MatchedRule match) {
		return match.web().readsForm(this.request) && this.request.carriesForm()
				&& match.rule().access().of(this.request) == AccessList.AccessDecision.LIMITED;
	}

	// The level is found only if a rule reserves slots.
	private UnaryOperator<CompiledLimits> level(List<MatchedRule> matches) {
		if (!this.rules.rules().reserving() || matches.stream().noneMatch((match) -> match.web().reserves())) {
			return CompiledLimits::ofNormal;
		}
		// If there is a load guard, it has already counted the header.
		if (load() == LoadStage.NONE) {
			this.stages.levels().count(this.request);
		}
		return this.rules.limits(this.stages.levels(), this.request, this.served);
	}

	/**
	 * Return the kind of a request under a path that no phase has evaluated. A request
	 * that was counted under its former path is not a preflight under this one.
	 * @param matches the rules of this path
	 * @return the kind of the request
	 */
	final Entry entry(List<MatchedRule> matches) {
		Entry entry = this.stages.exemptions().entry(this.request, matches);
		boolean preflight = this.progress.matched() == null || this.progress.matched() == Entry.PREFLIGHT;
		return (entry == Entry.PREFLIGHT && !preflight) ? Entry.COUNTED : entry;
	}

	/**
	 * Read the form if a rule requires it, and evaluate these rules.
	 * @return the progress of the request; fails if the form cannot be read
	 */
	CompletableFuture<RequestProgress> enterForm() {
		HandlerIndex index = this.rules.handlers().index();
		Lookup lookup = Lookup.in(this.progress);
		CompletableFuture<Optional<HandlerIndex.Served>> found = (lookup != null && lookup.answers(index, this.request))
				? CompletableFuture.completedFuture(lookup.served()) : index.find(this.request);
		return found.thenCompose((handler) -> {
			serveIfCertain(handler);
			Entry entry = entry();
			List<MatchedRule> counting = counting(matches(), entry);
			if (!isCounted(entry) || (deciding(counting).isEmpty() && !candidateReadsForm())) {
				return CompletableFuture.completedFuture(this.progress);
			}
			// A request with an unreadable form is counted, and then rejected in the same
			// way as by the application.
			return this.request.form()
				.handle((content, failure) -> Optional.ofNullable(failure))
				.thenCompose((failure) -> chargeForm(entry, counting)
					.thenCompose((charged) -> (failure.isPresent() && charged.allowed())
							? failed(charged, failure.get()) : CompletableFuture.completedFuture(charged)));
		});
	}

	/**
	 * Read the form, find the handler that its fields select, and evaluate the rules that
	 * have not charged the request yet.
	 * @return the progress of the request; fails if the form cannot be read
	 */
	final CompletableFuture<RequestProgress> enterSelected() {
		return this.request.form()
			.handle((content, failure) -> Optional.ofNullable(failure))
			.thenCompose((failure) -> (failure.isPresent()) ? failed(this.progress, failure.get())
					: this.rules.served(this.request).thenCompose(this::chargeSelected));
	}

	private CompletableFuture<RequestProgress> chargeSelected(Optional<HandlerIndex.Served> handler) {
		serve(handler);
		List<MatchedRule> matches = matches();
		Entry entry = entry();
		if (entry != Entry.COUNTED) {
			return CompletableFuture.completedFuture(this.progress);
		}
		located(handler);
		return chargeForm(entry, matches);
	}

	static boolean isCounted(Entry entry) {
		return entry == Entry.COUNTED || entry.presentsCredentials();
	}

	private boolean candidateReadsForm() {
		CandidateTrial trial = this.stages.engine().trial(this.progress.edition());
		return trial != null && this.stages.rules(trial).rules().readForms()
				&& matches(this.stages.rules(trial), Optional.empty()).stream()
					.anyMatch((match) -> trial.changes(match.id()));
	}

	private CompletableFuture<RequestProgress> chargeForm(Entry entry, List<MatchedRule> counting) {
		CompletableFuture<RequestProgress> charged = charge(counting);
		return (entry == Entry.COUNTED) ? seatAfterWait(charged) : charged.thenApply(CredentialCharge::returned);
	}

	/**
	 * Give the request another seat if it waits, because it releases its seat for the
	 * wait.
	 * @param charged the progress after the rules
	 * @return the progress of the request
	 */
	CompletableFuture<RequestProgress> seatAfterWait(CompletableFuture<RequestProgress> charged) {
		return load().seatAfterWait(charged, this.request, this.rules.handlers().level(this.served), this.stage);
	}

	// The status of the response settles only the charges before this step.
	private CompletableFuture<RequestProgress> failed(RequestProgress charged, Throwable failure) {
		charged.free();
		Throwable cause = (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause()
				: failure;
		if (cause instanceof ErrorResponse error) {
			charged.settleSince(this.progress, error.getStatusCode().value());
		}
		return CompletableFuture.failedFuture(failure);
	}

	/**
	 * The rules that are evaluated in one step. Clients may send a form slowly, so it is
	 * read as late as possible.
	 */
	enum Part {

		/** The rules that do not require the form. */
		FIRST,

		/** The rules that require the form. */
		FORM,

		/** The rules of the handler that a field of the form selects. */
		SELECTED

	}

	/**
	 * The charge of a request that has presented credentials to management. It is
	 * refunded unless the credentials were invalid, because management itself is not
	 * limited. Without a status, the charge remains.
	 *
	 * @param reservation the charge
	 */
	record CredentialCharge(Reservation reservation) implements Ending {

		private static final int UNAUTHORIZED = 401;

		private static final int FORBIDDEN = 403;

		/**
		 * Refund a request's charge at its end.
		 * @param charged the progress of the request
		 * @return the progress of the request
		 */
		static RequestProgress returned(RequestProgress charged) {
			if (charged.waits()) {
				return charged.then((result) -> CompletableFuture.completedFuture(returned(result)));
			}
			Reservation reservation = charged.decision().reservation();
			return (charged.allowed() && reservation != Reservation.NONE)
					? charged.ending(new CredentialCharge(reservation)) : charged;
		}

		@Override
		public void free(int status) {
			// Slots are freed as for other requests.
		}

		@Override
		public void settle(int status) {
			if (status != UNAUTHORIZED && status != FORBIDDEN) {
				this.reservation.cancel();
			}
		}

	}

}
