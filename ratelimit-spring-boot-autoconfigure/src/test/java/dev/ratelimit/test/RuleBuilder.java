package dev.ratelimit.test;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.MissingKey;
import dev.ratelimit.Phase;
import dev.ratelimit.RuleMode;
import dev.ratelimit.rule.LimitDefinition;
import dev.ratelimit.rule.Origin;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleDefinition;
import dev.ratelimit.rule.RuleFactory;

/**
 * Writes rules for tests as users write them.
 */
public final class RuleBuilder {

	private final String id;

	private RuleDefinition definition;

	private RuleBuilder(String id, RuleDefinition definition) {
		this.id = id;
		this.definition = definition;
	}

	public static RuleBuilder rule(String id, String... limits) {
		List<LimitDefinition> all = Arrays.stream(limits).map(LimitDefinition::of).toList();
		return new RuleBuilder(id, new Part().limits(all).definition());
	}

	public RuleBuilder paths(String... paths) {
		return with(new Part().match(List.of(paths), List.of(), List.of()));
	}

	public RuleBuilder exceptPaths(String... paths) {
		return with(new Part().match(List.of(), List.of(paths), List.of()));
	}

	public RuleBuilder methods(String... methods) {
		return with(new Part().match(List.of(), List.of(), List.of(methods)));
	}

	public RuleBuilder key(String... key) {
		return with(new Part().key(List.of(key)));
	}

	public RuleBuilder burst(long burst) {
		return with(new Part().burst(burst).limits(this.definition.limits()));
	}

	public RuleBuilder cost(long cost) {
		return with(new Part().cost(cost));
	}

	public RuleBuilder closed() {
		return with(new Part().failure(FailurePolicy.CLOSED));
	}

	public RuleBuilder mode(RuleMode mode) {
		return with(new Part().mode(mode));
	}

	public RuleBuilder onMissingKey(MissingKey onMissingKey) {
		return with(new Part().onMissingKey(onMissingKey));
	}

	public RuleBuilder phase(Phase phase) {
		return with(new Part().phase(phase));
	}

	public RuleBuilder status(int status) {
		return with(new Part().status(status));
	}

	public RuleBuilder idempotency() {
		return with(new Part().idempotency());
	}

	public Rule build() {
		return new RuleFactory(RuleDefinition.EMPTY).rule(this.id, Origin.PROPERTY, "ratelimit.rules." + this.id,
				this.definition);
	}

	private RuleBuilder with(Part part) {
		this.definition = part.definition().over(this.definition);
		return this;
	}

	/**
	 * One thing that is written, and nothing else.
	 */
	private static final class Part {

		private List<String> paths = List.of();

		private List<String> exceptPaths = List.of();

		private List<String> methods = List.of();

		private List<String> key = List.of();

		private List<LimitDefinition> limits = List.of();

		private OptionalLong burst = OptionalLong.empty();

		private OptionalLong cost = OptionalLong.empty();

		private Optional<FailurePolicy> failure = Optional.empty();

		private Optional<RuleMode> mode = Optional.empty();

		private Optional<MissingKey> onMissingKey = Optional.empty();

		private Optional<Phase> phase = Optional.empty();

		private OptionalInt status = OptionalInt.empty();

		private Optional<Boolean> idempotency = Optional.empty();

		RuleDefinition definition() {
			return new RuleDefinition(this.paths, this.exceptPaths, this.methods, this.key, this.limits, this.burst,
					Optional.empty(), this.cost, this.failure, this.mode, this.onMissingKey, this.phase, this.status,
					this.idempotency, false);
		}

		Part match(List<String> paths, List<String> exceptPaths, List<String> methods) {
			this.paths = paths;
			this.exceptPaths = exceptPaths;
			this.methods = methods;
			return this;
		}

		Part key(List<String> key) {
			this.key = key;
			return this;
		}

		Part limits(List<LimitDefinition> limits) {
			this.limits = limits;
			return this;
		}

		Part burst(long burst) {
			this.burst = OptionalLong.of(burst);
			return this;
		}

		Part cost(long cost) {
			this.cost = OptionalLong.of(cost);
			return this;
		}

		Part failure(FailurePolicy failure) {
			this.failure = Optional.of(failure);
			return this;
		}

		Part mode(RuleMode mode) {
			this.mode = Optional.of(mode);
			return this;
		}

		Part onMissingKey(MissingKey onMissingKey) {
			this.onMissingKey = Optional.of(onMissingKey);
			return this;
		}

		Part phase(Phase phase) {
			this.phase = Optional.of(phase);
			return this;
		}

		Part status(int status) {
			this.status = OptionalInt.of(status);
			return this;
		}

		Part idempotency() {
			this.idempotency = Optional.of(true);
			return this;
		}

	}

}
