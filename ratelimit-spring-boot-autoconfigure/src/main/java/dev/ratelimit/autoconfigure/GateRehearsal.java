package dev.ratelimit.autoconfigure;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.Decision;
import dev.ratelimit.Phase;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.web.Exemptions;
import dev.ratelimit.web.ExplainRequest;
import dev.ratelimit.web.GateSettings;
import dev.ratelimit.web.HandlerRules;
import dev.ratelimit.web.IdempotencyKeys;
import dev.ratelimit.web.RequestGate;
import dev.ratelimit.web.Resolvers;
import dev.ratelimit.web.SimulatedRequest;
import dev.ratelimit.web.response.HeaderFactory;
import dev.ratelimit.web.response.HeaderSettings;
import dev.ratelimit.web.response.Jitter;
import dev.ratelimit.web.response.ProblemTexts;
import dev.ratelimit.web.response.RejectionFactory;
import dev.ratelimit.web.response.RejectionStatus;

import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Internal: sends imagined requests through a gate of its own, up to the fields and the
 * body that a response would have, so that the code is loaded and compiled before real
 * requests need it. Neither runs code of the application nor tells anybody.
 */
public final class GateRehearsal {

	private final RequestGate gate;

	private final HeaderFactory writer;

	private final RejectionFactory rejections;

	/**
	 * A rehearsal.
	 * @param engine an engine of its own, with rules by path and client address
	 * @param headers what responses tell
	 */
	public GateRehearsal(RateLimitEngine engine, HeaderSettings headers) {
		this.gate = new RequestGate(engine,
				GateSettings.of(Resolvers.NONE, new IdempotencyKeys(Set.of(), false), Exemptions.NONE, false));
		this.gate.bind(HandlerRules.NONE, PathPatternParser.defaultInstance);
		this.writer = new HeaderFactory(InstantSource.system(), headers, Jitter.NONE);
		this.writer.follow(engine.editions().current());
		this.rejections = new RejectionFactory(new RejectionStatus(engine.editions()), this.writer,
				ProblemTexts.ENGLISH, (rejection, request) -> rejection);
	}

	/**
	 * Decide one request and make what its response needs. Blocks until the store
	 * answers.
	 * @param path the path
	 * @param address the client's address
	 * @return the decision
	 */
	public Decision call(String path, String address) {
		ExplainRequest enquiry = new ExplainRequest("GET", path, Map.of("Accept", List.of("application/json")), address,
				Optional.empty(), Optional.empty());
		SimulatedRequest request = new SimulatedRequest(enquiry,
				(imagined) -> CompletableFuture.completedFuture(Optional.empty()),
				(imagined) -> CompletableFuture.completedFuture(Optional.empty()), ClientAddresses.OF_PEER);
		RequestProgress progress = this.gate.enter(Phase.LATE, request, RequestProgress.START).join();
		if (progress.allowed()) {
			this.writer.fields(progress);
		}
		else {
			this.rejections.rejected(progress, request, path);
		}
		return progress.decision();
	}

}
