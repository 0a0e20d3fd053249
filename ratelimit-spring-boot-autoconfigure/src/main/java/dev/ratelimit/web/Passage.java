package dev.ratelimit.web;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import dev.ratelimit.Criticality.Level;
import dev.ratelimit.Decision;
import dev.ratelimit.Phase;
import dev.ratelimit.Reservation;
import dev.ratelimit.engine.CandidateTrial;
import dev.ratelimit.engine.CompiledLimits;
import dev.ratelimit.gate.AccessList;
import dev.ratelimit.gate.Ending;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.gate.RuleStage;
import org.jspecify.annotations.Nullable;

/**
 * A request on its way through the gate in one phase: the rules of its edition, the
 * handler that serves it, and its progress. Methods may run on different threads, but
 * never at the same time.
 */
final class Passage {

	private final RequestStages stages;

	private final GateRules rules;

	/**
	 * The phase; null if the path was rewritten or the front references the rules, so
	 * that the rules of both phases apply.
	 */
	private final @Nullable Phase phase;

	/** The rules that the front references; null if those of the path apply. */
	private final @Nullable NamedRules named;

	private final Part part;

	private final GateRequest request;

	private RequestProgress progress;

	private Optional<HandlerIndex.Served> served = Optional.empty();

	private Passage(RequestStages stages, GateRules rules, @Nullable Phase phase, @Nullable NamedRules named, Part part,
			GateRequest request, RequestProgress progress) {
		this.stages = stages;
		this.rules = rules;
		this.phase = phase;
		this.named = named;
		this.part = part;
		this.request = request;
		this.progress = progress;
	}

	/**
	 * A request under the rules of one phase.
	 * @param stages the stages
	 * @param rules the rules of its edition
	 * @param phase early or late; null if its path was rewritten
	 * @param request the request
	 * @param progress the progress of the request
	 * @return its passage
	 */
	static Passage of(RequestStages stages, GateRules rules, @Nullable Phase phase, GateRequest request,
			RequestProgress progress) {
		return new Passage(stages, rules, phase, null, Part.FIRST, request, progress);
	}

	/**
	 * A request under the rules of one phase that require its form.
	 * @param stages the stages
	 * @param rules the rules of its edition
	 * @param phase early or late; null if its path was rewritten
	 * @param request the request, which carries a form
	 * @param progress the progress after the other rules
	 * @return its passage
	 */
	static Passage ofForm(RequestStages stages, GateRules rules, @Nullable Phase phase, GateRequest request,
			RequestProgress progress) {
		return new Passage(stages, rules, phase, null, Part.FORM, request, progress);
	}

	/**
	 * A request under the rules of its handler in one phase, if a field of its form
	 * selects the handler.
	 * @param stages the stages
	 * @param rules the rules of its edition
	 * @param phase early or late; null if its path was rewritten
	 * @param request the request
	 * @param progress the progress after the other rules
	 * @return its passage
	 */
	static Passage ofSelected(RequestStages stages, GateRules rules, @Nullable Phase phase, GateRequest request,
			RequestProgress progress) {
		return new Passage(stages, rules, phase, null, Part.SELECTED, request, progress);
	}

	/**
	 * A request under rules that the front references.
	 * @param stages the stages
	 * @param rules the rules of its edition
	 * @param named the references
	 * @param form true for the rules that require the form, false for all others
	 * @param request the request
	 * @param progress the progress of the request
	 * @return its passage
	 */
	static Passage ofNamed(RequestStages stages, GateRules rules, NamedRules named, boolean form, GateRequest request,
			RequestProgress progress) {
		return new Passage(stages, rules, null, named, (form) ? Part.FORM : Part.FIRST, request, progress);
	}

	/**
	 * Evaluate the rules of the phase that do not require a form.
	 * @return the progress of the request
	 */
	CompletableFuture<RequestProgress> enter() {
		Phase current = Objects.requireNonNull(this.phase);
		Entry entry = entry();
		if (this.rules.isFirst(current)) {
			if (entry == Entry.COUNTED) {
				this.stages.observer().arrived(this.request);
			}
			if (this.stages.exemptions().isDenied(this.request, entry)) {
				return rejectDenied();
			}
		}
		if (entry != Entry.COUNTED) {
			return allow(entry, current);
		}
		HandlerIndex index = this.rules.handlers().index();
		Lookup lookup = Lookup.in(this.progress);
		if (lookup != null && lookup.answers(index, this.request)) {
			this.served = lookup.served();
		}
		else {
			CompletableFuture<Optional<HandlerIndex.Served>> found = index.find(this.request);
			// Most lookups complete immediately.
			if (!found.isDone() || found.isCompletedExceptionally()) {
				return found.thenCompose((handler) -> {
					located(index, handler, current);
					return guard(current);
				});
			}
			located(index, found.join(), current);
		}
		return (this.stages.load() == null) ? charge(matches()) : guard(current);
	}

	// Found only once, because filters between the phases may hide the properties that
	// determine it.
	private Entry entry() {
		if (this.progress.matched() == null) {
			return this.stages.exemptions().entry(this.request);
		}
		return (this.progress.matched() instanceof Entry entry) ? entry : Entry.COUNTED;
	}

	private void located(HandlerIndex index, Optional<HandlerIndex.Served> handler, Phase current) {
		this.served = known(handler);
		if (this.rules.hasAfter(current) && isSelected()) {
			this.progress = this.progress.knowing(Lookup.of(index, this.request, handler));
		}
	}

	// The rules of a handler apply only if it is certain that it serves the request.
	private Optional<HandlerIndex.Served> known(Optional<HandlerIndex.Served> handler) {
		return (isSelected()) ? handler : Optional.empty();
	}

	private boolean isSelected() {
		return this.part == Part.SELECTED || !this.request.isSelectedByFields();
	}

	private CompletableFuture<RequestProgress> rejectDenied() {
		return stage().reject(this.request, this.progress, this.stages.engine().denyListed());
	}

	private RuleStage<GateRequest> stage() {
		return this.stages.stage(this.phase);
	}

	// Processes a request that not all rules count.
	private CompletableFuture<RequestProgress> allow(Entry entry, Phase current) {
		if (entry.isFree()) {
			return CompletableFuture.completedFuture(entered(entry));
		}
		return this.rules.handlers().index().find(this.request).thenCompose((handler) -> {
			boolean first = this.progress.matched() == null;
			if (first && entry == Entry.PREFLIGHT
					&& this.stages.exemptions().isKeyed(this.request, this.rules.matches(this.request, handler))) {
				located(this.rules.handlers().index(), handler, current);
				return guard(current);
			}
			this.served = known(handler);
			this.progress = entered(entry);
			LoadStage load = this.stages.load();
			if (load == null || !load.isOf(current)) {
				return evaluateExempt(entry, current);
			}
			LevelRule level = load.level(entry, this.request, this.rules.handlers().level(handler));
			return (load.sheds(entry, this.request, level)) ? stage().shed(this.request, this.progress)
					: load.seat(entry, evaluateExempt(entry, current), this.request, level, stage());
		});
	}

	private RequestProgress entered(Entry entry) {
		if (this.phase == Phase.LATE) {
			this.stages.observer().authenticated(entry, this.request);
		}
		return (this.progress.matched() != null) ? this.progress
				: this.stages.observer().arrived(entry, this.progress.knowing(entry));
	}

	private CompletableFuture<RequestProgress> evaluateExempt(Entry entry, Phase current) {
		if (entry == Entry.MANAGEMENT) {
			return CompletableFuture.completedFuture(this.progress);
		}
		List<MatchedRule> matches = this.rules.matches(current, this.request, this.served);
		List<MatchedRule> counting = counting(matches, entry);
		// Bans by fields of a form are not checked, because the form would have to be
		// read.
		List<MatchedRule> others = matches.stream()
			.filter((match) -> !counting.contains(match) && !match.web().readsForm(this.request))
			.toList();
		return stage().meetBans(others, this.request, this.progress).thenCompose((met) -> {
			this.progress = met;
			return (!met.allowed() || counting.isEmpty()) ? CompletableFuture.completedFuture(met)
					: charge(counting).thenApply(CredentialCharge::returned);
		});
	}

	private List<MatchedRule> counting(List<MatchedRule> matches, Entry entry) {
		return matches.stream().filter((match) -> match.counts(entry, this.request)).toList();
	}

	private CompletableFuture<RequestProgress> guard(Phase current) {
		LoadStage load = this.stages.load();
		if (load == null) {
			return charge(matches());
		}
		Level annotated = this.rules.handlers().level(this.served);
		if (!load.isOf(current)) {
			CompletableFuture<RequestProgress> charged = charge(matches());
			// The request has taken its seat in the earlier phase.
			return (current == Phase.LATE) ? load.seatAfterWait(charged, this.request, annotated, stage()) : charged;
		}
		LevelRule level = load.level(Entry.COUNTED, this.request, annotated);
		return (load.sheds(Entry.COUNTED, this.request, level)) ? stage().shed(this.request, this.progress)
				: load.seat(Entry.COUNTED, charge(matches()), this.request, level, stage());
	}

	private List<MatchedRule> matches() {
		return matches(this.rules);
	}

	private List<MatchedRule> matches(GateRules edition) {
		if (this.named != null) {
			return edition.matches(this.named, this.request);
		}
		return (this.phase != null) ? edition.matches(this.phase, this.request, this.served)
				: edition.matches(this.request, this.served);
	}

	private CompletableFuture<RequestProgress> charge(List<MatchedRule> matches) {
		CandidateTrial trial = this.stages.engine().trial(this.progress.edition());
		if (this.named != null) {
			return decide(matches, trial);
		}
		if (!this.rules.readRoute(matches) && (trial == null || !this.stages.rules(trial).rules().readRoutes())) {
			return decide(matches, trial);
		}
		Lookup lookup = Lookup.in(this.progress);
		HandlerIndex index = this.rules.handlers().index();
		if (lookup != null && lookup.route().isPresent() && lookup.answers(index, this.request)) {
			return decide(GateRules.on(route(), matches), trial);
		}
		return index.findRoute(this.request).thenCompose((route) -> {
			// The kind of a request is found only once, so it must not be overwritten.
			if (!(this.progress.matched() instanceof Entry) && isSelected()) {
				this.progress = this.progress
					.knowing(Lookup.of(index, this.request, this.served).on(route, this.progress));
			}
			return decide(GateRules.on(route, matches), trial);
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
			return stage().enter(matches, this.request, this.progress, level);
		}
		Consumer<Decision> comparison = compare(trial);
		return stage().enter(matches, this.request, this.progress, level).thenApply((decided) -> {
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
		List<MatchedRule> matches = matches(candidate);
		return fresh(deciding((this.named != null) ? matches : GateRules.on(route, matches)), candidate);
	}

	// Whether the candidate evaluates the rule in another phase or part of it, so that
	// the decisions cannot be compared.
	private boolean isMoved(GateRules candidate, String id) {
		WebRule before = this.rules.rules().byId().get(id);
		WebRule after = candidate.rules().byId().get(id);
		return before != null && after != null && (before.phase() != after.phase()
				|| (this.request.carriesForm() && before.readsForm(this.request) != after.readsForm(this.request)));
	}

	// After both phases, and when the handler is known, rules that have already charged
	// the request are omitted.
	private List<MatchedRule> fresh(List<MatchedRule> matches, GateRules edition) {
		if (this.phase != null && this.part != Part.SELECTED) {
			return matches;
		}
		ChargedRules charged = ChargedRules.of(this.progress, edition, this.request);
		return matches.stream()
			.filter((match) -> (this.named != null) ? !charged.includeOnAnyRoute(match) : !charged.include(match))
			.toList();
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
		if (this.stages.load() == null) {
			this.stages.levels().count(this.request);
		}
		return this.rules.limits(this.stages.levels(), this.request, this.served);
	}

	/**
	 * Evaluate the rules of a path that was rewritten. A request that was originally sent
	 * to management has no seat of the application yet.
	 * @return the progress of the request
	 */
	CompletableFuture<RequestProgress> enterRewritten() {
		LoadStage load = this.stages.load();
		boolean management = this.progress.matched() instanceof Entry entry && entry.isManagement();
		if (load == null) {
			return chargeRewritten();
		}
		if (!management || this.stages.exemptions().entry(this.request).isManagement()) {
			return chargeRewritten().thenCompose((charged) -> (charged.waits()) ? seatAfterWait(load, charged)
					: CompletableFuture.completedFuture(charged));
		}
		return this.rules.served(this.request).thenCompose((handler) -> {
			Level annotated = this.rules.handlers().level(known(handler));
			LevelRule level = load.level(Entry.COUNTED, this.request, annotated);
			return (load.sheds(Entry.COUNTED, this.request, level)) ? stage().shed(this.request, this.progress)
					: load.seat(Entry.COUNTED, chargeRewritten(), this.request, level, stage());
		});
	}

	// A waiting request has released its seat, so it requires another one after the wait.
	private CompletableFuture<RequestProgress> seatAfterWait(LoadStage load, RequestProgress waiting) {
		return load.seatAfterWait(CompletableFuture.completedFuture(waiting), this.request,
				this.rules.handlers().level(this.served), stage());
	}

	private CompletableFuture<RequestProgress> chargeRewritten() {
		this.stages.observer().rewritten();
		if (this.stages.exemptions().isDenied(this.request)) {
			return rejectDenied();
		}
		return this.rules.handlers().index().find(this.request).thenCompose((handler) -> {
			this.served = known(handler);
			List<MatchedRule> matches = matches();
			Entry entry = rewritten(matches);
			if (entry == Entry.PREFLIGHT) {
				return stage().meetBans(matches, this.request, this.progress);
			}
			List<MatchedRule> counting = counting(matches, entry);
			return (counting.isEmpty()) ? CompletableFuture.completedFuture(this.progress) : charge(counting);
		});
	}

	/**
	 * Evaluate the rules that the front references. The front serves the request, so it
	 * is not a request to management.
	 * @return the progress of the request
	 */
	CompletableFuture<RequestProgress> enterNamed() {
		List<MatchedRule> matches = matches();
		return (rewritten(matches) == Entry.PREFLIGHT) ? stage().meetBans(matches, this.request, this.progress)
				: charge(matches);
	}

	// A request that was counted under its former path is not a preflight under the new
	// one.
	private Entry rewritten(List<MatchedRule> matches) {
		Entry entry = this.stages.exemptions().entry(this.request, matches);
		boolean preflight = this.progress.matched() == null || this.progress.matched() == Entry.PREFLIGHT;
		return (entry == Entry.PREFLIGHT && !preflight) ? Entry.COUNTED : entry;
	}

	/**
	 * Read the form if a rule requires it, and evaluate these rules.
	 * @return the progress of the request; fails if the form cannot be read
	 */
	CompletableFuture<RequestProgress> enterForm() {
		if (this.phase != null && !isCounted(entry())) {
			return CompletableFuture.completedFuture(this.progress);
		}
		HandlerIndex index = this.rules.handlers().index();
		Lookup lookup = Lookup.in(this.progress);
		CompletableFuture<Optional<HandlerIndex.Served>> found = (lookup != null && lookup.answers(index, this.request))
				? CompletableFuture.completedFuture(lookup.served()) : index.find(this.request);
		return found.thenCompose((handler) -> {
			this.served = known(handler);
			Entry entry = (this.phase != null) ? entry() : rewritten(matches());
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
	CompletableFuture<RequestProgress> enterSelected() {
		return this.request.form()
			.handle((content, failure) -> Optional.ofNullable(failure))
			.thenCompose((failure) -> (failure.isPresent()) ? failed(this.progress, failure.get())
					: this.rules.served(this.request).thenCompose(this::chargeSelected));
	}

	private CompletableFuture<RequestProgress> chargeSelected(Optional<HandlerIndex.Served> handler) {
		Phase current = this.phase;
		this.served = handler;
		List<MatchedRule> matches = matches();
		Entry entry = (current != null) ? entry() : rewritten(matches);
		if (entry != Entry.COUNTED) {
			return CompletableFuture.completedFuture(this.progress);
		}
		if (current != null) {
			located(this.rules.handlers().index(), handler, current);
		}
		return chargeForm(entry, matches);
	}

	private static boolean isCounted(Entry entry) {
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
		if (entry != Entry.COUNTED) {
			return charged.thenApply(CredentialCharge::returned);
		}
		LoadStage load = this.stages.load();
		return (load == null || this.named != null) ? charged
				: load.seatAfterWait(charged, this.request, this.rules.handlers().level(this.served), stage());
	}

	private static CompletableFuture<RequestProgress> failed(RequestProgress progress, Throwable failure) {
		progress.free();
		return CompletableFuture.failedFuture(failure);
	}

	/**
	 * The rules that are evaluated in one step. Clients may send a form slowly, so it is
	 * read as late as possible.
	 */
	private enum Part {

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
	private record CredentialCharge(Reservation reservation) implements Ending {

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
