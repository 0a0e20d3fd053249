package dev.ratelimit.store.guard;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.LateCharge;
import dev.ratelimit.store.Time;

/**
 * The debts of one bucket: one if it refills evenly, otherwise some for admissions of
 * different times. Not thread-safe.
 */
final class BucketDebts {

	/** Further admissions are not owed. */
	private static final int MAX_DEBTS = 32;

	private final Bucket bucket;

	private final List<Debt> debts = new ArrayList<>(1);

	BucketDebts(Bucket bucket) {
		this.bucket = bucket;
	}

	/**
	 * Owe an admission.
	 * @param takenAtMillis the time of the admission, by the clock of charges here
	 * @param takenNanos the same moment, in nanoseconds of {@link Time}
	 * @param units how many
	 * @param nowNanos the time
	 * @return the debt that it is counted in, if there is room
	 */
	Optional<Debt> owe(long takenAtMillis, long takenNanos, long units, long nowNanos) {
		forgetSettled(nowNanos);
		Optional<Debt> counting = covering(takenNanos);
		if (counting.isEmpty() && this.debts.size() < MAX_DEBTS) {
			counting = Optional.of(new Debt(this.bucket, takenAtMillis, takenNanos));
			this.debts.add(counting.get());
		}
		counting.ifPresent((debt) -> debt.add(units, takenNanos));
		return counting;
	}

	/**
	 * Keep a debt that was not charged. What has been owed meanwhile joins it.
	 * @param older the debt
	 * @param nowNanos the time
	 */
	void keep(Debt older, long nowNanos) {
		forgetSettled(nowNanos);
		this.debts.removeIf((debt) -> {
			boolean covered = older.covers(debt.atNanos());
			if (covered) {
				debt.moveTo(older, nowNanos);
			}
			return covered;
		});
		this.debts.add(older);
	}

	/**
	 * Send all, the latest first if they are more than one capacity.
	 * @param nowNanos the time
	 * @param deadlineNanos the time after which the store may not charge them
	 * @return the debts that are sent, with what is to be charged
	 */
	List<Sent> send(long nowNanos, long deadlineNanos) {
		this.debts.sort(Comparator.comparingLong((debt) -> nowNanos - debt.atNanos()));
		List<Sent> sent = new ArrayList<>(this.debts.size());
		long room = this.bucket.family().arithmetic().capacity();
		for (Debt debt : this.debts) {
			Optional<LateCharge> charge = debt.send(room, nowNanos, deadlineNanos);
			if (charge.isPresent()) {
				room -= charge.get().correction().units();
				sent.add(new Sent(debt, charge.get()));
			}
		}
		return sent;
	}

	void forget() {
		this.debts.forEach(Debt::settle);
	}

	private Optional<Debt> covering(long takenNanos) {
		return this.debts.stream().filter((debt) -> debt.covers(takenNanos)).findFirst();
	}

	private void forgetSettled(long nowNanos) {
		this.debts.removeIf((debt) -> {
			boolean settled = debt.due(nowNanos) <= 0;
			if (settled) {
				debt.settle();
			}
			return settled;
		});
	}

	/**
	 * A debt on its way.
	 *
	 * @param debt the debt
	 * @param charge what is to be charged
	 */
	record Sent(Debt debt, LateCharge charge) {
	}

}
