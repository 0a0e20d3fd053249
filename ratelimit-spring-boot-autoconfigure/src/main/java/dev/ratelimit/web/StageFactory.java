package dev.ratelimit.web;

import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.PassageObserver;
import dev.ratelimit.gate.PassageObservers;
import dev.ratelimit.gate.RuleStage;
import dev.ratelimit.web.request.GateRequest;
import org.jspecify.annotations.Nullable;

/**
 * Makes the stages of a gate.
 *
 * @param engine the engine
 * @param settings what the gate stands on
 * @param observers observe each phase
 */
record StageFactory(RateLimitEngine engine, GateSettings settings, PassageObservers observers) {

	RequestStages stages(Entrance entrance, @Nullable LoadStage load) {
		return new RequestStages(this.engine, entrance, stage("early"), stage("late"), this.settings.observations(),
				load);
	}

	private RuleStage<GateRequest> stage(String phase) {
		PassageObserver observer = this.observers.of(phase).and(this.settings.observations());
		return new RuleStage<>(this.engine, this.settings, this.settings.partitionKeys(), observer);
	}

}
