package dev.ratelimit.ban;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import dev.ratelimit.BanKind;

/**
 * Bans, marks, and pauses by rule and subject, and the conditions for new ones, which are
 * the same as in {@code ban.lua}. Thread-safe.
 */
final class BanBook {

	/**
	 * The minimum time for which a lift is remembered, so that it overrides older copies
	 * of the ban.
	 */
	static final long LIFTED_MILLIS = 3_600_000;

	private static final long MINUTE = 60_000;

	private final Map<Name, Ban> bans = new HashMap<>();

	private final Map<String, Minute> brakes = new HashMap<>();

	private final BanLimits limits;

	private long number;

	/**
	 * Create an empty book.
	 * @param limits the limits on the number of bans
	 */
	BanBook(BanLimits limits) {
		this.limits = limits;
	}

	/**
	 * Impose a ban, mark, or pause.
	 * @param order the ban, mark, or pause to impose
	 * @param nowMillis the time
	 * @return the outcome
	 */
	synchronized BanReply impose(BanOrder order, long nowMillis) {
		forget(nowMillis);
		Name name = new Name(order.rule(), order.subject());
		Ban old = this.bans.get(name);
		Ban next = next(order, Optional.ofNullable(old), nowMillis);
		if (old != null && old.isActive(nowMillis) && isKept(old, order, next)) {
			return new BanReply(BanReply.Result.KEPT, old);
		}
		if (order.byStrikes() && isBraked(order.rule(), nowMillis)) {
			return new BanReply(BanReply.Result.BRAKED, next);
		}
		if (old == null && !makeRoom(nowMillis)) {
			return new BanReply(BanReply.Result.FULL, next);
		}
		if (order.byStrikes()) {
			this.brakes.merge(order.rule(), new Minute(nowMillis / MINUTE, 1), Minute::and);
		}
		this.number = next.number();
		this.bans.put(name, next);
		return new BanReply(BanReply.Result.IMPOSED, next);
	}

	// A ban that has ended can be removed, because it only makes the next ban longer. A
	// lift is not removed, because an instance may still have a copy of the lifted ban.
	private boolean makeRoom(long nowMillis) {
		if (this.bans.size() < this.limits.max()) {
			return true;
		}
		Optional<Ban> ended = this.bans.values()
			.stream()
			.filter((ban) -> ban.untilMillis() > 0 && !ban.isActive(nowMillis))
			.min(Comparator.comparingLong(Ban::forgottenMillis));
		ended.ifPresent((ban) -> this.bans.remove(new Name(ban.rule(), ban.subject())));
		return ended.isPresent();
	}

	// A pause does not shorten a ban or another pause, and a mark does not end a pause.
	// Strikes of requests that arrived before a ban do not make the ban longer.
	private static boolean isKept(Ban old, BanOrder order, Ban next) {
		if (order.kind() == BanKind.PAUSE) {
			return old.kind() == BanKind.BAN
					|| (old.kind() == BanKind.PAUSE && old.untilMillis() >= next.untilMillis());
		}
		return order.byStrikes() && (old.kind() != BanKind.PAUSE || order.kind() == BanKind.MARK);
	}

	private Ban next(BanOrder order, Optional<Ban> old, long nowMillis) {
		int before = old.map(Ban::count).orElse(0);
		int count = (order.kind() == BanKind.PAUSE) ? before : before + 1;
		long until = nowMillis + order.durationMillis(Math.max(1, count));
		if (order.byStrikes()) {
			// A ban that replaces a pause lasts at least as long as the pause.
			until = Math.max(until, old.filter((ban) -> ban.kind() == BanKind.PAUSE).map(Ban::untilMillis).orElse(0L));
		}
		return new Ban(order.rule(), order.subject(), order.kind(), until, count, nowMillis,
				Math.max(until + order.forgetMillis(), old.map(Ban::forgottenMillis).orElse(0L)), following(nowMillis),
				order.user());
	}

	private long following(long nowMillis) {
		return Math.max(this.number, nowMillis) + 1;
	}

	/**
	 * Forget all bans, lifts, and brakes.
	 */
	synchronized void reset() {
		this.bans.clear();
		this.brakes.clear();
	}

	/**
	 * Return the highest number of all known changes.
	 * @return the number
	 */
	synchronized long number() {
		return this.number;
	}

	private boolean isBraked(String rule, long nowMillis) {
		Minute minute = this.brakes.get(rule);
		return minute != null && minute.number() == nowMillis / MINUTE && minute.count() >= this.limits.perMinute();
	}

	/**
	 * End a ban, mark, or pause.
	 * @param rule the rule's id
	 * @param subject the subject
	 * @param user the user that ends it
	 * @param nowMillis the time
	 * @return the lift; empty if there was nothing to end
	 */
	synchronized Optional<Ban> lift(String rule, String subject, String user, long nowMillis) {
		Ban old = this.bans.get(new Name(rule, subject));
		if (old == null || !old.isActive(nowMillis)) {
			return Optional.empty();
		}
		Ban lift = new Ban(rule, subject, old.kind(), 0, 0, nowMillis,
				Math.max(nowMillis + LIFTED_MILLIS, old.forgottenMillis()), following(nowMillis), user);
		this.number = lift.number();
		this.bans.put(new Name(rule, subject), lift);
		return Optional.of(lift);
	}

	/**
	 * Add a ban or lift of another instance. The change with the highest number applies.
	 * @param ban the ban or lift
	 * @return whether the ban or lift is new
	 */
	synchronized boolean know(Ban ban) {
		this.number = Math.max(this.number, ban.number());
		Name name = new Name(ban.rule(), ban.subject());
		Ban old = this.bans.get(name);
		if (ban.equals(old) || (old != null && old.number() > ban.number())) {
			return false;
		}
		this.bans.put(name, ban);
		return true;
	}

	/**
	 * Return the last ban or lift of a subject.
	 * @param rule the rule's id
	 * @param subject the subject
	 * @return the ban or lift; empty if none is remembered
	 */
	synchronized Optional<Ban> find(String rule, String subject) {
		return Optional.ofNullable(this.bans.get(new Name(rule, subject)));
	}

	/**
	 * Publish the last change of a subject. It may be later than a given one, because
	 * another thread may have published a later one.
	 * @param ban the ban or lift
	 * @param changes receives the last ban or lift of its subject
	 */
	synchronized void publish(Ban ban, Consumer<Ban> changes) {
		changes.accept(find(ban.rule(), ban.subject()).orElse(ban));
	}

	/**
	 * Return all bans, marks, pauses, and lifts that are remembered.
	 * @return the bans, marks, pauses, and lifts
	 */
	synchronized List<Ban> all() {
		return List.copyOf(this.bans.values());
	}

	/**
	 * Return the bans, marks, and pauses that have not ended.
	 * @param nowMillis the time
	 * @return the bans, marks, and pauses
	 */
	synchronized List<Ban> active(long nowMillis) {
		return this.bans.values().stream().filter((ban) -> ban.isActive(nowMillis)).toList();
	}

	/**
	 * Forget bans, marks, and pauses that have ended and do not make later ones longer.
	 * @param nowMillis the time
	 */
	synchronized void forget(long nowMillis) {
		this.bans.values().removeIf((ban) -> !ban.isActive(nowMillis) && ban.forgottenMillis() <= nowMillis);
	}

	/**
	 * The key of a ban. Clients choose subjects, and can create many with equal hashes.
	 * The keys are comparable, so a map finds them fast even then.
	 *
	 * @param rule the rule
	 * @param subject the banned subject
	 */
	private record Name(String rule, String subject) implements Comparable<Name> {

		@Override
		public int compareTo(Name other) {
			int rules = this.rule.compareTo(other.rule);
			return (rules != 0) ? rules : this.subject.compareTo(other.subject);
		}

	}

	private record Minute(long number, int count) {

		Minute and(Minute later) {
			return (later.number == this.number) ? new Minute(this.number, this.count + later.count) : later;
		}

	}

}
