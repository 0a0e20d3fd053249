package dev.ratelimit.store.memory;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.ReplayMarker;
import dev.ratelimit.store.ReplayState;
import org.jspecify.annotations.Nullable;

/**
 * The replay markers of each client. Requests of one client that carry an idempotency key
 * are decided one after the other, so that exactly one of two first attempts is charged.
 */
final class ReplayMarkers {

	/** The cache does not update an expiry that would change by less than this time. */
	private static final long TOLERANCE_MILLIS = 1000;

	private final Cache<String, Owner> owners;

	ReplayMarkers(long maxMarkers, LongSupplier clock) {
		this.owners = Caffeine.newBuilder()
			.maximumWeight(maxMarkers)
			.weigher((String key, Owner owner) -> owner.markers.size())
			.ticker(() -> clock.getAsLong() * MemoryBuckets.NANOS_PER_MILLI)
			.expireAfter(
					Expiry.writing((String key, Owner owner) -> Duration.ofMillis(owner.ttlMillis + TOLERANCE_MILLIS)))
			.executor(Runnable::run)
			.build();
	}

	// Decide a request with the state of its replay marker, and remember the decision.
	AcquireResult deciding(ReplayMarker marker, long nowMillis, Function<ReplayState, AcquireResult> decision) {
		AcquireResult[] result = new AcquireResult[1];
		this.owners.asMap().compute(marker.owner(), (key, present) -> {
			Owner owner = (present != null) ? present : new Owner();
			result[0] = owner.decide(marker, nowMillis, decision);
			return (owner.markers.isEmpty()) ? null : owner;
		});
		return result[0];
	}

	/**
	 * Undo a decision.
	 * @param marker the marker of the request
	 * @param replay the state that the decision has found
	 * @return whether a replay that was free takes over the charges, which then stand
	 */
	boolean takeBack(ReplayMarker marker, ReplayState replay) {
		boolean[] takenOver = new boolean[1];
		this.owners.asMap().computeIfPresent(marker.owner(), (key, owner) -> {
			takenOver[0] = owner.takeBack(marker, replay);
			return (owner.markers.isEmpty()) ? null : owner;
		});
		return takenOver[0];
	}

	private static final class Owner {

		/**
		 * The markers in the order of their expiry, because all have the same lifetime.
		 */
		private final Map<String, Marker> markers = new LinkedHashMap<>();

		private long ttlMillis;

		AcquireResult decide(ReplayMarker request, long nowMillis, Function<ReplayState, AcquireResult> decision) {
			forgetExpired(nowMillis);
			this.ttlMillis = request.ttlMillis();
			Marker marker = this.markers.get(request.id());
			boolean replayed = marker != null && marker.replays < request.maxReplays();
			AcquireResult result = decision.apply((replayed) ? ReplayState.KNOWN : ReplayState.NONE);
			return (result.allowed()) ? result.with(remember(request, nowMillis, marker)) : result;
		}

		private ReplayState remember(ReplayMarker request, long nowMillis, @Nullable Marker marker) {
			if (marker != null) {
				if (marker.replays >= request.maxReplays()) {
					return ReplayState.NONE;
				}
				marker.replays++;
				return ReplayState.KNOWN;
			}
			if (this.markers.size() >= request.maxMarkers()) {
				return ReplayState.NONE;
			}
			this.markers.put(request.id(), new Marker(nowMillis + request.ttlMillis()));
			return ReplayState.MARKED;
		}

		boolean takeBack(ReplayMarker request, ReplayState replay) {
			Marker marker = this.markers.get(request.id());
			if (replay == ReplayState.NONE || marker == null) {
				return false;
			}
			if (marker.replays > 0) {
				marker.replays--;
				return replay == ReplayState.MARKED;
			}
			if (replay == ReplayState.MARKED) {
				this.markers.remove(request.id());
			}
			return false;
		}

		private void forgetExpired(long nowMillis) {
			Iterator<Marker> oldest = this.markers.values().iterator();
			while (oldest.hasNext() && oldest.next().expiresMillis <= nowMillis) {
				oldest.remove();
			}
		}

	}

	private static final class Marker {

		private final long expiresMillis;

		private int replays;

		Marker(long expiresMillis) {
			this.expiresMillis = expiresMillis;
		}

	}

}
