package dev.ratelimit.web;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.Phase;
import dev.ratelimit.gate.RequestProgress;

/**
 * The passage of a request whose path was changed after a filter evaluated it, or that no
 * filter has evaluated: the rules of both phases apply to its path, except those that
 * have already charged the request.
 */
final class RewrittenPassage extends Passage {

	private final boolean late;

	RewrittenPassage(boolean late, RequestStages stages, GateRules rules, Part part, GateRequest request,
			RequestProgress progress) {
		super(stages, stages.late(), rules, part, request, progress);
		this.late = late;
	}

	@Override
	CompletableFuture<RequestProgress> enter() {
		return this.rules.served(this.request).thenCompose((handler) -> {
			located(handler);
			if (!lacksSeat()) {
				return seatAfterWait(charge());
			}
			LoadStage load = load();
			LevelRule level = load.level(Entry.COUNTED, this.request, this.rules.handlers().level(served()));
			return (load.sheds(Entry.COUNTED, this.request, level)) ? stage().shed(this.request, progress())
					: load.seat(Entry.COUNTED, charge(), this.request, level, stage());
		});
	}

	// A request that was originally sent to management has no seat of the application
	// yet, nor has a request before the late phase if that phase assigns the seats.
	private boolean lacksSeat() {
		boolean management = progress().matched() instanceof Entry entry && entry.isManagement();
		return (management || (this.late && load().isOf(Phase.LATE)))
				&& !this.stages.exemptions().entry(this.request).isManagement();
	}

	private CompletableFuture<RequestProgress> charge() {
		this.stages.observer().rewritten();
		if (this.stages.exemptions().isDenied(this.request)) {
			return rejectDenied();
		}
		List<MatchedRule> matches = matches();
		Entry entry = entry(matches);
		if (entry == Entry.PREFLIGHT) {
			return stage().meetBans(matches, this.request, progress());
		}
		List<MatchedRule> counting = counting(matches, entry);
		if (counting.isEmpty()) {
			return CompletableFuture.completedFuture(progress());
		}
		return (entry.presentsCredentials()) ? charge(counting).thenApply(CredentialCharge::returned)
				: charge(counting);
	}

	@Override
	List<MatchedRule> matches(GateRules edition) {
		return edition.matches(this.request, served());
	}

	@Override
	Entry entry() {
		return entry(matches());
	}

	@Override
	List<MatchedRule> fresh(List<MatchedRule> matches, GateRules edition) {
		return ChargedRules.of(progress(), edition, this.request).without(matches);
	}

}
