package dev.ratelimit.web;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.engine.CandidateTrial;
import dev.ratelimit.gate.RequestProgress;
import org.jspecify.annotations.Nullable;

/**
 * The passage of a request through rules that its front references, except those that
 * have already charged the request. The front serves the request, so the request is not
 * one to management, has its seat, and has its route.
 */
final class NamedPassage extends Passage {

	private final NamedRules named;

	NamedPassage(NamedRules named, RequestStages stages, GateRules rules, Part part, GateRequest request,
			RequestProgress progress) {
		super(stages, stages.late(), rules, part, request, progress);
		this.named = named;
	}

	@Override
	CompletableFuture<RequestProgress> enter() {
		List<MatchedRule> matches = matches();
		return (entry(matches) == Entry.PREFLIGHT) ? stage().meetBans(matches, this.request, progress())
				: seatAfterWait(charge(matches));
	}

	@Override
	List<MatchedRule> matches(GateRules edition) {
		return edition.matches(this.named, this.request);
	}

	@Override
	Entry entry() {
		return entry(matches());
	}

	@Override
	List<MatchedRule> fresh(List<MatchedRule> matches, GateRules edition) {
		return ChargedRules.of(progress(), edition, this.request).withoutOnAnyRoute(matches);
	}

	@Override
	boolean readsRoute(List<MatchedRule> matches, @Nullable CandidateTrial trial) {
		return false;
	}

	@Override
	List<MatchedRule> on(Optional<String> route, List<MatchedRule> matches) {
		return matches;
	}

}
