package dev.ratelimit.ban;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.BanKind;

/**
 * Bans, marks, and pauses by rule and subject, and the rules of imposing them: the twin
 * of {@code ban.lua}. Thread-safe.
 */
final class BanBook {

	/**
	 * The minimum time for which a lift is remembered, so that it prevails over older
	 * copies.
	 */
	static final long LIFTED_MILLIS = 3_600_000;

	private static final long MINUTE = 60_000;

	private final Map<Name, Ban> bans = new HashMap<>();

	private final Map<String, Minute> brakes = new HashMap<>();

	private final BanLimits limits;

	private long number;

	/**
	 * An empty book.
	 * @param limits the limits on the number of bans
	 */
	BanBook(BanLimits limits) {
		this.limits = limits;
	}

	/**
	 * Impose a ban, mark, or pause.
	 * @param order what is to be imposed
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

	// A ban that has ended only makes the next one longer, so it gives way. A lift does
	// not: an instance may have a copy of the ban.
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

	// A pause neither ends a ban nor another pause earlier, and a mark does not end a
	// pause; strikes of requests that came before a ban do not make it longer.
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
			// A ban that takes the place of a pause does not end it earlier.
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
	 * The highest number of a known change.
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
	 * Take over a ban or lift of another instance. The highest number prevails.
	 * @param ban the ban or lift
	 * @return whether this was not known
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
	 * All bans, marks, and pauses that are remembered, and all lifts.
	 * @return all
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
	 * The key of a ban. Clients choose subjects, and can create many with equal hashes:
	 * since names are comparable, a map finds them fast nevertheless.
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
