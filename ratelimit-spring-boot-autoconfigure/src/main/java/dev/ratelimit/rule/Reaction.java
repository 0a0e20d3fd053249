package dev.ratelimit.rule;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

import dev.ratelimit.ExcessPolicy;
import dev.ratelimit.FailurePolicy;
import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.Phase;
import dev.ratelimit.RuleMode;

/**
 * Internal: the effects of a rule on a request, besides counting it.
 *
 * @param mode whether the rule rejects
 * @param failure the policy while the store is unavailable
 * @param phase the phase in which the rule is evaluated
 * @param status the status of a rejection; empty for the default of the situation
 * @param idempotency whether a retry with the same idempotency key is free
 * @param refund the responses that refund the charge
 * @param replaces ids of rules that do not apply if this rule applies
 * @param ramp the share of subjects that the rule rejects if its mode is to enforce
 * @param excess the treatment of requests that exceed the limits
 * @param holding the holder of slots, and the maximum time
 * @param waiting the wait of requests that exceed the limits; empty if they are rejected
 */
public record Reaction(RuleMode mode, FailurePolicy failure, Phase phase, OptionalInt status, boolean idempotency,
		Refund refund, List<String> replaces, Ramp ramp, Excess excess, Holding holding, Optional<Waiting> waiting) {

	public Reaction {
		replaces = List.copyOf(replaces);
		Checks.UNPLACED.require(!idempotency || failure != FailurePolicy.CLOSED, ".idempotency", "true",
				"'idempotency' cannot be combined with 'failure: closed'",
				"Remove 'idempotency', or set 'failure: open'.");
		status.ifPresent((code) -> Checks.UNPLACED.require(code >= 400 && code <= 599, ".status",
				Integer.toString(code), "it must be between 400 and 599", "Set such a status, or remove it."));
		Checks.UNPLACED.require(ramp.isFull() || replaces.isEmpty(), ".enforce", ramp.toString(),
				"a client that is not enforced would be limited neither by this rule nor by the replaced rules",
				"Remove 'enforce' or 'replaces'.");
		excess.check(failure, replaces);
		Checks.UNPLACED.require(waiting.isEmpty() || excess.rejects(), ".wait", waiting.toString(),
				"'on-excess: degrade' allows requests at once, so none of them waits", "Remove 'wait' or 'on-excess'.");
	}

	Reaction in(RuleMode other) {
		return in(other, this.ramp);
	}

	Reaction in(RuleMode other, Ramp share) {
		return new Reaction(other, this.failure, this.phase, this.status, this.idempotency, this.refund, this.replaces,
				share, this.excess, this.holding, this.waiting);
	}

	/**
	 * The treatment of requests that exceed the limits of a rule, and of the clients that
	 * send them. Immutable.
	 *
	 * @param policy the treatment of the request
	 * @param tarpit the delay of rejections; empty if they are not delayed
	 * @param ban the conditions for a ban or mark of the client; empty if there are none
	 */
	public record Excess(ExcessPolicy policy, Optional<Tarpit> tarpit, Optional<BanTerms> ban) {

		public Excess {
			Checks.UNPLACED.require(tarpit.isEmpty() || policy == ExcessPolicy.TARPIT, ".tarpit",
					tarpit.map(Tarpit::toString).orElse(""), "rejections are delayed only with 'on-excess: tarpit'",
					"Set 'on-excess: tarpit', or remove 'tarpit'.");
			tarpit.ifPresent(Tarpit::check);
			ban.ifPresent(BanTerms::check);
		}

		/**
		 * Return whether a request that exceeds the limits is rejected.
		 * @return whether it is rejected, at once or later
		 */
		public boolean rejects() {
			return this.policy != ExcessPolicy.DEGRADE;
		}

		void check(FailurePolicy failure, List<String> replaces) {
			Checks.UNPLACED.require(rejects() || failure != FailurePolicy.CLOSED, ".on-excess",
					EnumNames.of(this.policy), "'failure: closed' rejects requests, but this rule never does",
					"Remove 'failure: closed', or use a rule of its own for it.");
			Checks.UNPLACED.require(rejects() || replaces.isEmpty(), ".on-excess", EnumNames.of(this.policy),
					"a client above the limit would be rejected neither by this rule nor by the replaced rules",
					"Remove 'on-excess' or 'replaces'.");
		}

		void check(boolean programmatic) {
			Checks.UNPLACED.require(this.tarpit.isEmpty() || !programmatic, ".on-excess", EnumNames.of(this.policy),
					"only responses to requests can be delayed, and code decides on its own",
					"Remove 'on-excess' or 'programmatic'.");
		}

		// If clients control all parts of the key, any client could cause a ban of other
		// clients.
		void check(RuleKey key) {
			Checks.UNPLACED.require(this.ban.isEmpty() || key.parts().stream().anyMatch(Excess::identifies), ".ban",
					"key: " + key.parts(), "all clients could send this key, and so have other clients banned",
					"Add 'ip', 'user', or 'caller' to 'key', such as [ip, form:username].");
		}

		private static boolean identifies(KeyPart part) {
			return switch (part.kind()) {
				case IP, USER, CALLER -> true;
				default -> false;
			};
		}

		/**
		 * Return whether bans by this rule depend on the client's address.
		 * @param key the rule's key
		 * @return whether a client that can forge its address could cause a ban of other
		 * clients
		 */
		public boolean bansAddresses(RuleKey key) {
			return this.ban.isPresent() && (key.writes(MissingKeyPolicy.IP) || key.parts()
				.stream()
				.anyMatch((part) -> part.kind() == KeyPart.Kind.IP || part.kind() == KeyPart.Kind.CALLER));
		}

	}

	/**
	 * The holder of a slot of a rule that limits concurrent requests, and the maximum
	 * time.
	 *
	 * @param by the holder
	 * @param maxHold the maximum time after which the slot is freed
	 */
	public record Holding(Holder by, Duration maxHold) {

		private static final Duration MIN_DURATION = Duration.ofSeconds(1);

		private static final Duration MAX_DURATION = Duration.ofDays(366);

		public Holding {
			Checks.UNPLACED.require(maxHold.compareTo(MIN_DURATION) >= 0 && maxHold.compareTo(MAX_DURATION) <= 0,
					".max-hold", maxHold, "it must be between 1 s and 366 days", "Set a time such as '1h'.");
		}

	}

}
