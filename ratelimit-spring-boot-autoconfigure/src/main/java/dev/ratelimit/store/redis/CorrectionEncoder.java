package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.ReplayMarker;
import dev.ratelimit.store.ReplayState;
import dev.ratelimit.store.Settlement;

/**
 * Encodes script calls that change buckets without a decision: corrections, late charges,
 * resets, and renewals of slots. Thread-safe.
 */
final class CorrectionEncoder {

	private static final byte[] NO_MARKER = {};

	private static final byte[] AT_PRESENT = {};

	private static final byte[] NEVER = EncodedFamily.encode(ServerClock.NEVER);

	private static final byte[] TAKE_BACK_REPLAY = {};

	private final EncodedFamilies families;

	private final RedisClock clock;

	private final ScriptCache settlements;

	private final ScriptCache resets;

	private final LuaScript renewal;

	private final byte[] holder;

	CorrectionEncoder(EncodedFamilies families, RedisClock clock) {
		this.families = families;
		this.clock = clock;
		this.settlements = new ScriptCache(
				(algorithms, functions) -> LuaScript.settlement(clock, algorithms, functions));
		this.renewal = LuaScript.renewal(clock);
		this.holder = EncodedFamily.encode(families.holder());
		this.resets = new ScriptCache((algorithms, functions) -> LuaScript.forget(clock, algorithms));
	}

	ScriptCall settle(List<Settlement> settlements, long nowMillis) {
		List<byte[]> arguments = new ArrayList<>(6 * settlements.size() + 2);
		arguments.add(NO_MARKER);
		return settle(settlements, new ArrayList<>(settlements.size()), arguments, Optional.empty(), nowMillis);
	}

	/**
	 * Encode the call that charges requests which were allowed without the server.
	 * @param late the charge, with the time when the request was allowed
	 * @param nowMillis the time of this instance
	 * @param deadlineMillis the server's time after which nothing may be charged
	 * @return the call
	 */
	ScriptCall charge(Settlement late, long nowMillis, long deadlineMillis) {
		List<Bucket> buckets = List.of(late.bucket());
		LuaFunctions functions = this.families.functions(buckets);
		List<byte[]> arguments = new ArrayList<>(8);
		arguments.add(NO_MARKER);
		addTo(arguments, late, EncodedFamily.encode(late.takenAtMillis()), functions, nowMillis);
		arguments.add(EncodedFamily.encode((this.clock == RedisClock.CLIENT) ? nowMillis : deadlineMillis));
		return ScriptCall.of(this.settlements.get(buckets, functions), List.of(this.families.key(late.bucket())),
				arguments);
	}

	ScriptCall undo(AcquireResult result, long nowMillis) {
		List<Settlement> refunds = new ArrayList<>(result.refunds(true));
		int marked = refunds.size();
		refunds.addAll(result.refunds(false));
		List<byte[]> arguments = new ArrayList<>(6 * refunds.size() + 3);
		Optional<ReplayMarker> marker = result.request()
			.marker()
			.filter((present) -> result.replay() != ReplayState.NONE);
		marker.ifPresentOrElse((present) -> {
			arguments.add(EncodedFamily.encode(present.id()));
			arguments.add((result.replayed()) ? TAKE_BACK_REPLAY : EncodedFamily.encode(marked));
		}, () -> arguments.add(NO_MARKER));
		return settle(refunds, new ArrayList<>(refunds.size() + 1), arguments,
				marker.map((present) -> markers(present, result.request())), nowMillis);
	}

	private ScriptCall settle(List<Settlement> settlements, List<byte[]> names, List<byte[]> arguments,
			Optional<byte[]> markers, long nowMillis) {
		List<Bucket> buckets = settlements.stream().map(Settlement::bucket).toList();
		LuaFunctions functions = this.families.functions(buckets);
		int more = 0;
		for (Settlement settlement : settlements) {
			names.add(this.families.key(settlement.bucket()));
			addTo(arguments, settlement,
					(settlement.units() > 0) ? AT_PRESENT : EncodedFamily.encode(settlement.takenAtMillis()), functions,
					nowMillis);
			more += this.families.of(settlement.bucket()).weightOf(settlement.units());
		}
		markers.ifPresent(names::add);
		arguments.add((this.clock == RedisClock.CLIENT) ? EncodedFamily.encode(nowMillis) : NEVER);
		return ScriptCall.of(this.settlements.get(buckets, functions), names, arguments).heavier(more);
	}

	private void addTo(List<byte[]> arguments, Settlement settlement, byte[] time, LuaFunctions functions,
			long nowMillis) {
		EncodedFamily family = this.families.of(settlement.bucket());
		arguments.add(family.algorithm());
		arguments.add(time);
		arguments.add(EncodedFamily.encode(settlement.units()));
		family.addTo(arguments, functions, nowMillis);
	}

	/**
	 * Return the key of the markers of a request, which is in the slot of the first
	 * bucket that a retry does not charge.
	 * @param marker the marker of the request
	 * @param request the request
	 * @return the key
	 */
	byte[] markers(ReplayMarker marker, AcquireRequest request) {
		List<Charge> charges = request.charges();
		Charge first = charges.stream().filter(Charge::replayable).findFirst().orElse(charges.get(0));
		return this.families.markers(marker.owner(), first.bucket().family());
	}

	/**
	 * Encode the call that resets buckets of joint keys that keep other buckets.
	 * @param buckets the buckets
	 * @param nowMillis the time of this instance
	 * @return the call
	 */
	ScriptCall reset(List<Bucket> buckets, long nowMillis) {
		List<byte[]> names = new ArrayList<>(buckets.size());
		List<byte[]> arguments = new ArrayList<>(4 * buckets.size() + 1);
		for (Bucket bucket : buckets) {
			EncodedFamily family = this.families.of(bucket);
			names.add(this.families.key(bucket));
			arguments.add(family.algorithm());
			family.addTo(arguments, LuaFunctions.ANY, nowMillis);
		}
		return timed(this.resets.get(buckets, LuaFunctions.ANY), names, arguments, nowMillis);
	}

	/**
	 * Encode the call that renews slots of this instance.
	 * @param held the number of slots that it holds of each bucket
	 * @param nowMillis the time of this instance
	 * @return the call
	 */
	ScriptCall renew(Map<Bucket, Long> held, long nowMillis) {
		List<byte[]> names = new ArrayList<>(held.size());
		List<byte[]> arguments = new ArrayList<>(2 * held.size() + 2);
		arguments.add(this.holder);
		held.forEach((bucket, units) -> {
			names.add(this.families.key(bucket));
			arguments.add(EncodedFamily.encode(units));
			arguments.add(EncodedFamily.encode(bucket.family().calculator().fillMillis()));
		});
		return timed(this.renewal, names, arguments, nowMillis);
	}

	private ScriptCall timed(LuaScript script, List<byte[]> names, List<byte[]> arguments, long nowMillis) {
		if (this.clock == RedisClock.CLIENT) {
			arguments.add(EncodedFamily.encode(nowMillis));
		}
		return ScriptCall.of(script, names, arguments);
	}

}
