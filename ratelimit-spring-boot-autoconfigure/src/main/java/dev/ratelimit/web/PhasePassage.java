package dev.ratelimit.web;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.Phase;
import dev.ratelimit.gate.RequestProgress;

/**
 * The passage of a request through the rules of one phase.
 */
final class PhasePassage extends Passage {

	private final Phase phase;

	PhasePassage(Phase phase, RequestStages stages, GateRules rules, Part part, GateRequest request,
			RequestProgress progress) {
		super(stages, (phase == Phase.EARLY) ? stages.early() : stages.late(), rules, part, request, progress);
		this.phase = phase;
	}

	@Override
	CompletableFuture<RequestProgress> enter() {
		Entry entry = entry();
		if (this.rules.isFirst(this.phase)) {
			if (entry == Entry.COUNTED) {
				this.stages.observer().arrived(this.request);
			}
			if (this.stages.exemptions().isDenied(this.request, entry)) {
				return rejectDenied();
			}
		}
		if (entry != Entry.COUNTED) {
			return allow(entry);
		}
		HandlerIndex index = this.rules.handlers().index();
		Lookup lookup = Lookup.in(progress());
		if (lookup != null && lookup.answers(index, this.request)) {
			// An earlier phase has found it for certain.
			serve(lookup.served());
			return guard();
		}
		CompletableFuture<Optional<HandlerIndex.Served>> found = index.find(this.request);
		// Most lookups complete immediately.
		if (!found.isDone() || found.isCompletedExceptionally()) {
			return found.thenCompose((handler) -> {
				located(handler);
				return guard();
			});
		}
		located(found.join());
		return guard();
	}

	// Found only once, because filters between the phases may hide the properties that
	// determine it.
	@Override
	Entry entry() {
		if (progress().matched() == null) {
			return this.stages.exemptions().entry(this.request);
		}
		return (progress().matched() instanceof Entry entry) ? entry : Entry.COUNTED;
	}

	@Override
	void located(Optional<HandlerIndex.Served> handler) {
		serveIfCertain(handler);
		if (this.rules.hasAfter(this.phase) && isSelected()) {
			update(progress().knowing(Lookup.of(this.rules.handlers().index(), this.request, handler)));
		}
	}

	@Override
	List<MatchedRule> matches(GateRules edition) {
		return edition.matches(this.phase, this.request, served());
	}

	// The rules of a handler that a field of the form selects are evaluated last, after
	// those of the path.
	@Override
	List<MatchedRule> fresh(List<MatchedRule> matches, GateRules edition) {
		return (part() == Part.SELECTED) ? ChargedRules.of(progress(), edition, this.request).without(matches)
				: matches;
	}

	// Processes a request that not all rules count.
	private CompletableFuture<RequestProgress> allow(Entry entry) {
		if (entry.isFree()) {
			return CompletableFuture.completedFuture(entered(entry));
		}
		return this.rules.handlers().index().find(this.request).thenCompose((handler) -> {
			boolean first = progress().matched() == null;
			if (first && entry == Entry.PREFLIGHT
					&& this.stages.exemptions().isKeyed(this.request, this.rules.matches(this.request, handler))) {
				located(handler);
				return guard();
			}
			serveIfCertain(handler);
			update(entered(entry));
			LoadStage load = load();
			if (!load.isOf(this.phase)) {
				return evaluateExempt(entry);
			}
			LevelRule level = load.level(entry, this.request, this.rules.handlers().level(handler));
			return (load.sheds(entry, this.request, level)) ? stage().shed(this.request, progress())
					: load.seat(entry, evaluateExempt(entry), this.request, level, stage());
		});
	}

	private RequestProgress entered(Entry entry) {
		if (this.phase == Phase.LATE) {
			this.stages.observer().authenticated(entry, this.request);
		}
		return (progress().matched() != null) ? progress()
				: this.stages.observer().arrived(entry, progress().knowing(entry));
	}

	private CompletableFuture<RequestProgress> evaluateExempt(Entry entry) {
		if (entry == Entry.MANAGEMENT) {
			return CompletableFuture.completedFuture(progress());
		}
		List<MatchedRule> matches = matches();
		List<MatchedRule> counting = counting(matches, entry);
		// Bans by fields of a form are not checked, because the form would have to be
		// read.
		List<MatchedRule> others = matches.stream()
			.filter((match) -> !counting.contains(match) && !match.web().readsForm(this.request))
			.toList();
		return stage().meetBans(others, this.request, progress()).thenCompose((met) -> {
			update(met);
			return (!met.allowed() || counting.isEmpty()) ? CompletableFuture.completedFuture(met)
					: charge(counting).thenApply(CredentialCharge::returned);
		});
	}

	private CompletableFuture<RequestProgress> guard() {
		LoadStage load = load();
		if (!load.isOf(this.phase)) {
			CompletableFuture<RequestProgress> charged = charge(matches());
			// The request has taken its seat in the earlier phase.
			return (this.phase == Phase.LATE) ? seatAfterWait(charged) : charged;
		}
		LevelRule level = load.level(Entry.COUNTED, this.request, this.rules.handlers().level(served()));
		return (load.sheds(Entry.COUNTED, this.request, level)) ? stage().shed(this.request, progress())
				: load.seat(Entry.COUNTED, charge(matches()), this.request, level, stage());
	}

	@Override
	CompletableFuture<RequestProgress> enterForm() {
		return (isCounted(entry())) ? super.enterForm() : CompletableFuture.completedFuture(progress());
	}

}
