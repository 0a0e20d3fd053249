package dev.ratelimit.web;

import java.util.List;
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
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.Ending;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.gate.RuleStage;
import org.jspecify.annotations.Nullable;

/**
 * The stages of HTTP requests: the entrance, then the rules that match the request by
 * path and handler: first those that require no form.
 *
 * @param engine rejects requests of denied addresses
 * @param entrance the first stage
 * @param early the stage of the early rules
 * @param late the stage of the late rules
 * @param observer observes requests
 * @param candidates the rules of a candidate beside the active ones
 * @param levels tells how important requests are
 * @param load protects this instance; null if it is not to be protected
 */
record RequestStages(RateLimitEngine engine, Entrance entrance, RuleStage<GateRequest> early,
		RuleStage<GateRequest> late, RequestObserver observer, CandidateMatching candidates, Levels levels,
		@Nullable LoadStage load) {

	/**
	 * Evaluate the rules of one phase.
	 * @param current the rules
	 * @param phase early or late
	 * @param request the request
	 * @param sofar how far it has come, in the edition of the rules
	 * @return how far it is now
	 */
	CompletableFuture<RequestProgress> enter(GateRules current, Phase phase, GateRequest request,
			RequestProgress sofar) {
		Entry entry = entry(request, sofar);
		if (current.isFirst(phase)) {
			if (entry == Entry.COUNTED) {
				this.observer.arrived(request);
			}
			if (this.entrance.isDenied(request, entry)) {
				return banned(phase, request, sofar);
			}
		}
		return (entry == Entry.COUNTED) ? match(current, phase, request, sofar)
				: admit(entry, current, phase, request, sofar);
	}

	// Found once: filters between the phases may hide what it was found by.
	private Entry entry(GateRequest request, RequestProgress sofar) {
		if (sofar.finding() == null) {
			return this.entrance.entry(request);
		}
		return (sofar.finding() instanceof Entry known) ? known : Entry.COUNTED;
	}

	private CompletableFuture<RequestProgress> admit(Entry entry, GateRules current, Phase phase, GateRequest request,
			RequestProgress sofar) {
		if (entry.isFree()) {
			return CompletableFuture.completedFuture(entered(entry, phase, request, sofar));
		}
		return current.handlers().index().find(request).thenCompose((served) -> {
			boolean first = sofar.finding() == null;
			if (first && entry == Entry.PREFLIGHT && this.entrance.isKeyed(request, current.matches(request, served))) {
				return found(current, phase, request, sofar, served);
			}
			RequestProgress entered = entered(entry, phase, request, sofar);
			LoadStage stage = this.load;
			if (stage == null || !stage.isOf(phase)) {
				return meet(entry, current, phase, request, entered, served);
			}
			LevelRule level = stage.level(entry, request, current.handlers().level(served));
			return (stage.sheds(entry, request, level)) ? rules(phase).shed(request, entered) : stage.seat(entry,
					meet(entry, current, phase, request, entered, served), request, level, rules(phase));
		});
	}

	private RequestProgress entered(Entry entry, Phase phase, GateRequest request, RequestProgress sofar) {
		if (phase == Phase.LATE) {
			this.observer.authenticated(entry, request);
		}
		return (sofar.finding() != null) ? sofar : this.observer.arrived(entry, sofar.knowing(entry));
	}

	private CompletableFuture<RequestProgress> meet(Entry entry, GateRules current, Phase phase, GateRequest request,
			RequestProgress sofar, Optional<HandlerIndex.Served> served) {
		if (entry == Entry.MANAGEMENT) {
			return CompletableFuture.completedFuture(sofar);
		}
		List<MatchedRule> matches = current.matches(phase, request, served);
		List<MatchedRule> counting = matches.stream().filter((match) -> match.counts(entry, request)).toList();
		// A form is not read for a ban.
		List<MatchedRule> others = matches.stream()
			.filter((match) -> !counting.contains(match) && !match.web().readsForm(request))
			.toList();
		return rules(phase).meetBans(others, request, sofar)
			.thenCompose((met) -> (!met.allowed() || counting.isEmpty()) ? CompletableFuture.completedFuture(met)
					: charge(RuleStep.first(current, phase), request, met, served, counting)
						.thenApply(CredentialCharge::returned));
	}

	/**
	 * Evaluate the rules of a path that was rewritten. What was a request of management
	 * has no seat of the application yet.
	 * @param current the rules
	 * @param request the request
	 * @param sofar how far it has come, in the edition of the rules
	 * @return how far it is now
	 */
	CompletableFuture<RequestProgress> enterRewritten(GateRules current, GateRequest request, RequestProgress sofar) {
		LoadStage stage = this.load;
		boolean management = sofar.finding() instanceof Entry entry && entry.isManagement();
		if (stage == null || !management || this.entrance.entry(request).isManagement()) {
			return chargeRewritten(current, request, sofar);
		}
		return current.served(request).thenCompose((served) -> {
			Level annotated = current.handlers().level(served);
			LevelRule level = stage.level(Entry.COUNTED, request, annotated);
			return (stage.sheds(Entry.COUNTED, request, level)) ? this.late.shed(request, sofar)
					: stage.seat(Entry.COUNTED, chargeRewritten(current, request, sofar), request, level, this.late);
		});
	}

	private CompletableFuture<RequestProgress> chargeRewritten(GateRules current, GateRequest request,
			RequestProgress sofar) {
		this.observer.rewritten();
		if (this.entrance.isDenied(request)) {
			return banned(Phase.LATE, request, sofar);
		}
		return current.handlers().index().find(request).thenCompose((served) -> {
			List<MatchedRule> matches = current.matches(request, served);
			Entry entry = rewritten(request, sofar, matches);
			if (entry == Entry.PREFLIGHT) {
				return this.late.meetBans(matches, request, sofar);
			}
			List<MatchedRule> counting = matches.stream().filter((match) -> match.counts(entry, request)).toList();
			return (counting.isEmpty()) ? CompletableFuture.completedFuture(sofar)
					: charge(RuleStep.first(current, null), request, sofar, served, counting);
		});
	}

	// What was counted under its former path is no preflight under the new one.
	private Entry rewritten(GateRequest request, RequestProgress sofar, List<MatchedRule> matches) {
		Entry entry = this.entrance.entry(request, matches);
		boolean preflight = sofar.finding() == null || sofar.finding() == Entry.PREFLIGHT;
		return (entry == Entry.PREFLIGHT && !preflight) ? Entry.COUNTED : entry;
	}

	private CompletableFuture<RequestProgress> banned(Phase phase, GateRequest request, RequestProgress sofar) {
		return rules(phase).reject(request, sofar, this.engine.banned());
	}

	private RuleStage<GateRequest> rules(Phase phase) {
		return (phase == Phase.EARLY) ? this.early : this.late;
	}

	private CompletableFuture<RequestProgress> match(GateRules current, Phase phase, GateRequest request,
			RequestProgress sofar) {
		HandlerIndex index = current.handlers().index();
		Lookup known = Lookup.in(sofar);
		if (known != null && known.answers(index, request)) {
			return guard(current, phase, request, sofar, known.served());
		}
		CompletableFuture<Optional<HandlerIndex.Served>> found = index.find(request);
		// Most indices tell at once.
		return (found.isDone() && !found.isCompletedExceptionally())
				? found(current, phase, request, sofar, found.join())
				: found.thenCompose((served) -> found(current, phase, request, sofar, served));
	}

	private CompletableFuture<RequestProgress> found(GateRules current, Phase phase, GateRequest request,
			RequestProgress sofar, Optional<HandlerIndex.Served> served) {
		boolean again = current.hasAfter(phase);
		RequestProgress knowing = (again) ? sofar.knowing(Lookup.of(current.handlers().index(), request, served))
				: sofar;
		return guard(current, phase, request, knowing, served);
	}

	private CompletableFuture<RequestProgress> guard(GateRules current, Phase phase, GateRequest request,
			RequestProgress sofar, Optional<HandlerIndex.Served> served) {
		LoadStage stage = this.load;
		RuleStep step = RuleStep.first(current, phase);
		if (stage == null) {
			return charge(step, request, sofar, served, step.matches(request, served));
		}
		Level annotated = current.handlers().level(served);
		if (!stage.isOf(phase)) {
			CompletableFuture<RequestProgress> charged = charge(step, request, sofar, served,
					step.matches(request, served));
			// Its seat was taken in the phase before.
			return (phase == Phase.LATE) ? stage.again(charged, request, annotated, this.late) : charged;
		}
		LevelRule level = stage.level(Entry.COUNTED, request, annotated);
		if (stage.sheds(Entry.COUNTED, request, level)) {
			return rules(phase).shed(request, sofar);
		}
		return stage.seat(Entry.COUNTED, charge(step, request, sofar, served, step.matches(request, served)), request,
				level, rules(phase));
	}

	private CompletableFuture<RequestProgress> charge(RuleStep step, GateRequest request, RequestProgress sofar,
			Optional<HandlerIndex.Served> served, List<MatchedRule> matches) {
		CandidateTrial trial = this.engine.trials().find(sofar.edition());
		if (!step.current().readRoute(matches) && (trial == null || !this.candidates.readRoutes(trial))) {
			return chargeFresh(step, request, sofar, served, matches);
		}
		Lookup known = Lookup.in(sofar);
		HandlerIndex index = step.current().handlers().index();
		boolean found = known != null && known.route().isPresent() && known.answers(index, request);
		return (found) ? chargeFresh(step, request, sofar, served, GateRules.on(pattern(sofar), matches))
				: index.findRoute(request).thenCompose((route) -> {
					// How a request entered is found once, and must not be forgotten.
					RequestProgress located = (sofar.finding() instanceof Entry) ? sofar
							: sofar.knowing(Lookup.of(index, request, served).on(route, sofar));
					return chargeFresh(step, request, located, served, GateRules.on(route, matches));
				});
	}

	private static Optional<String> pattern(RequestProgress sofar) {
		Lookup known = Lookup.in(sofar);
		return (known != null) ? known.route().flatMap(Lookup.ServedRoute::pattern) : Optional.empty();
	}

	// What the request was charged before its path was rewritten is not charged again.
	private CompletableFuture<RequestProgress> chargeFresh(RuleStep step, GateRequest request, RequestProgress sofar,
			Optional<HandlerIndex.Served> served, List<MatchedRule> matches) {
		if (step.phase() != null) {
			return decide(step, request, sofar, served, matches);
		}
		ChargedRules charged = ChargedRules.of(sofar, step.current(), request);
		return decide(step, request, sofar, served,
				matches.stream().filter((match) -> !charged.include(match)).toList());
	}

	private CompletableFuture<RequestProgress> decide(RuleStep step, GateRequest request, RequestProgress sofar,
			Optional<HandlerIndex.Served> served, List<MatchedRule> all) {
		RuleStage<GateRequest> stage = (step.phase() == Phase.EARLY) ? this.early : this.late;
		CandidateTrial trial = this.engine.trials().find(sofar.edition());
		List<MatchedRule> matches = step.part().of(all, request);
		UnaryOperator<CompiledLimits> level = level(step.current(), request, served, matches);
		// A candidate is compared by what all its rules count.
		if (trial == null || sofar.finding() instanceof Entry) {
			return stage.enter(matches, request, sofar, level);
		}
		Consumer<Decision> comparison = this.candidates.begin(trial, step, request, sofar, served, pattern(sofar));
		return stage.enter(matches, request, sofar, level).thenApply((progress) -> {
			progress.turn().thenAccept((decided) -> comparison.accept(decided.decision()));
			return progress;
		});
	}

	/**
	 * Whether rules may require the form of a request.
	 * @param current the rules
	 * @param sofar how far the request has come
	 * @return whether one of them does, or one of a candidate
	 */
	boolean readForms(GateRules current, RequestProgress sofar) {
		CandidateTrial trial = this.engine.trials().find(sofar.edition());
		return current.rules().readForms() || (trial != null && this.candidates.readForms(trial));
	}

	/**
	 * Evaluate the rules of one phase that require the form of a request.
	 * @param current the rules
	 * @param phase early or late; null if the path was rewritten
	 * @param request the request, which carries a form
	 * @param sofar how far it has come by the other rules
	 * @return how far it is now
	 */
	CompletableFuture<RequestProgress> enterForm(GateRules current, @Nullable Phase phase, GateRequest request,
			RequestProgress sofar) {
		if (phase != null && !isCounted(entry(request, sofar))) {
			return CompletableFuture.completedFuture(sofar);
		}
		RuleStep step = new RuleStep(current, phase, Part.FORM);
		return served(current, request, sofar).thenCompose((served) -> {
			Entry entry = (phase != null) ? entry(request, sofar)
					: rewritten(request, sofar, current.matches(request, served));
			if (!isCounted(entry)) {
				return CompletableFuture.completedFuture(sofar);
			}
			List<MatchedRule> matches = step.matches(request, served)
				.stream()
				.filter((match) -> match.counts(entry, request))
				.toList();
			if (Part.FORM.of(matches, request).isEmpty() && !candidateReadsForm(step, request, sofar, served)) {
				return CompletableFuture.completedFuture(sofar);
			}
			// A form that cannot be read is counted like any other, and then as wrong
			// here
			// as it would have been behind.
			return request.form()
				.handle((form, failure) -> Optional.ofNullable(failure))
				.thenCompose((failure) -> chargeForm(step, entry, request, sofar, served, matches)
					.thenCompose((progress) -> (failure.isPresent() && progress.allowed())
							? failed(progress, failure.get()) : CompletableFuture.completedFuture(progress)));
		});
	}

	private static boolean isCounted(Entry entry) {
		return entry == Entry.COUNTED || entry.presentsCredentials();
	}

	private CompletableFuture<RequestProgress> chargeForm(RuleStep step, Entry entry, GateRequest request,
			RequestProgress sofar, Optional<HandlerIndex.Served> served, List<MatchedRule> matches) {
		CompletableFuture<RequestProgress> charged = charge(step, request, sofar, served, matches);
		LoadStage stage = this.load;
		Phase phase = step.phase();
		if (entry != Entry.COUNTED) {
			return charged.thenApply(CredentialCharge::returned);
		}
		return (stage == null || phase == null) ? charged
				: stage.again(charged, request, step.current().handlers().level(served), rules(phase));
	}

	private CompletableFuture<Optional<HandlerIndex.Served>> served(GateRules current, GateRequest request,
			RequestProgress sofar) {
		HandlerIndex index = current.handlers().index();
		Lookup known = Lookup.in(sofar);
		return (known != null && known.answers(index, request)) ? CompletableFuture.completedFuture(known.served())
				: index.find(request);
	}

	private boolean candidateReadsForm(RuleStep step, GateRequest request, RequestProgress sofar,
			Optional<HandlerIndex.Served> served) {
		CandidateTrial trial = this.engine.trials().find(sofar.edition());
		return trial != null && this.candidates.readsForm(trial, step, request, sofar, served);
	}

	// Found out only where a rule reserves slots.
	private UnaryOperator<CompiledLimits> level(GateRules current, GateRequest request,
			Optional<HandlerIndex.Served> served, List<MatchedRule> matches) {
		if (!current.rules().reserving() || matches.stream().noneMatch((match) -> match.web().reserves())) {
			return CompiledLimits::ofNormal;
		}
		// The load guard has counted it.
		if (this.load == null) {
			this.levels.count(request);
		}
		return current.limits(this.levels, request, served);
	}

	private static CompletableFuture<RequestProgress> failed(RequestProgress progress, Throwable failure) {
		progress.free();
		return CompletableFuture.failedFuture(failure);
	}

	/**
	 * What credentials were charged that a request has presented to management: it is
	 * given back unless they were wrong, since management itself is not limited. Without
	 * a status, the charge stands.
	 *
	 * @param reservation what was charged
	 */
	private record CredentialCharge(Reservation reservation) implements Ending {

		private static final int UNAUTHORIZED = 401;

		private static final int FORBIDDEN = 403;

		/**
		 * Have a request's charge given back at its end.
		 * @param charged how far the request has come
		 * @return how far it has come
		 */
		static RequestProgress returned(RequestProgress charged) {
			if (charged.waits()) {
				return charged.then((turn) -> CompletableFuture.completedFuture(returned(turn)));
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
