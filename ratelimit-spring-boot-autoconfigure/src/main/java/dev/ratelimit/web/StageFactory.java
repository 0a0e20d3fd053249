package dev.ratelimit.web;

import java.util.function.Function;

import dev.ratelimit.engine.Edition;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.PassageObserver;
import dev.ratelimit.gate.PassageObservers;
import dev.ratelimit.gate.RuleStage;
import org.jspecify.annotations.Nullable;

/**
 * Makes the stages of a gate.
 *
 * @param engine the engine
 * @param settings what the gate stands on
 * @param observers observe each phase
 */
record StageFactory(RateLimitEngine engine, GateSettings settings, PassageObservers observers) {

	RequestStages stages(Entrance entrance, Function<Edition, GateRules> rules, @Nullable LoadStage load) {
		return new RequestStages(this.engine, entrance, stage("early"), stage("late"), this.settings.observer(),
				CandidateMatching.of(this.settings, rules), this.settings.levels(), load);
	}

	private RuleStage<GateRequest> stage(String phase) {
		PassageObserver observer = this.observers.of(phase).and(this.settings.observer());
		return new RuleStage<>(this.engine, this.settings, this.settings.partitionKeys(), observer);
	}

}
