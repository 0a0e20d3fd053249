package dev.ratelimit.store.slot;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketSlots;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.ReplayMarker;

/**
 * Splits what is asked by the slots of the buckets. A slot is worked out once for buckets
 * that lie together, as long as they come one after the other.
 */
final class SlotSplitter {

	private final BucketSlots slots;

	SlotSplitter(BucketSlots slots) {
		this.slots = slots;
	}

	/**
	 * The parts of a request. Each part with a charge that a replay waives has a marker
	 * of its own, in its own slot, and goes by that one alone: what a slot waives has
	 * been paid there. Where slots differ on a retry, because one has lost its marker or
	 * had no room for it, the retry pays there and is free elsewhere.
	 * @param request the request
	 * @return the parts, in the order of their first charges
	 */
	List<SlotPart> split(AcquireRequest request) {
		List<Integer> positions = new ArrayList<>(request.charges().size());
		for (int i = 0; i < request.charges().size(); i++) {
			positions.add(i);
		}
		return bySlot(positions, (position) -> request.charges().get(position).bucket()).stream()
			.map((ofSlot) -> part(request, ofSlot))
			.toList();
	}

	/**
	 * Things that concern a bucket each, by slot.
	 * @param <T> their type
	 * @param things the things
	 * @param bucket the bucket of each
	 * @return lists, in the order of their first things
	 */
	<T> Collection<List<T>> bySlot(List<T> things, Function<T, Bucket> bucket) {
		Map<Integer, List<T>> lists = new LinkedHashMap<>();
		Bucket last = null;
		int slot = 0;
		for (T thing : things) {
			Bucket next = bucket.apply(thing);
			if (last == null || !this.slots.together(last, next)) {
				slot = this.slots.slotOf(next);
			}
			lists.computeIfAbsent(slot, (number) -> new ArrayList<>()).add(thing);
			last = next;
		}
		return lists.values();
	}

	private static SlotPart part(AcquireRequest request, List<Integer> positions) {
		List<Charge> charges = positions.stream().map((position) -> request.charges().get(position)).toList();
		return new SlotPart(
				new AcquireRequest(charges, marker(request, charges), request.deadlineNanos(), request.hasWaited()),
				positions.stream().mapToInt(Integer::intValue).toArray());
	}

	private static Optional<ReplayMarker> marker(AcquireRequest request, List<Charge> charges) {
		Optional<Charge> waivable = charges.stream().filter(Charge::replayable).findFirst();
		return request.marker()
			.flatMap((marker) -> waivable.map((charge) -> new ReplayMarker(charge.bucket().subject(), marker.id(),
					marker.ttlMillis(), marker.maxReplays(), marker.maxMarkers())));
	}

}
