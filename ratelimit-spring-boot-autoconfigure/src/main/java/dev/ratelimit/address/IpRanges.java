package dev.ratelimit.address;

import java.util.Comparator;
import java.util.List;

/**
 * Ranges of addresses of one family, in order, none of which touches another: found by
 * halving, however many there are. Immutable.
 */
final class IpRanges {

	private static final Comparator<IpNetwork> BY_START = (one, other) -> compare(one.first().high(), one.first().low(),
			other.first().high(), other.first().low());

	/** Four numbers each: the first address and the last, with the high half first. */
	private final long[] ranges;

	private final int count;

	private IpRanges(List<IpNetwork> sorted) {
		this.ranges = new long[4 * sorted.size()];
		int filled = 0;
		for (IpNetwork network : sorted) {
			boolean within = filled > 0 && compare(network.first().high(), network.first().low(),
					this.ranges[4 * filled - 2], this.ranges[4 * filled - 1]) <= 0;
			// Networks lie in each other or apart, and the larger one comes first.
			if (!within) {
				this.ranges[4 * filled] = network.first().high();
				this.ranges[4 * filled + 1] = network.first().low();
				this.ranges[4 * filled + 2] = network.lastHigh();
				this.ranges[4 * filled + 3] = network.lastLow();
				filled++;
			}
		}
		this.count = filled;
	}

	static IpRanges of(List<IpNetwork> networks, int bits) {
		return new IpRanges(networks.stream()
			.filter((network) -> network.first().bits() == bits)
			.sorted(BY_START.thenComparingInt(IpNetwork::prefix))
			.toList());
	}

	boolean isEmpty() {
		return this.count == 0;
	}

	boolean contains(long high, long low) {
		int from = 0;
		int to = this.count;
		while (from < to) {
			int middle = 4 * ((from + to) >>> 1);
			if (compare(high, low, this.ranges[middle], this.ranges[middle + 1]) < 0) {
				to = middle / 4;
			}
			else if (compare(high, low, this.ranges[middle + 2], this.ranges[middle + 3]) > 0) {
				from = middle / 4 + 1;
			}
			else {
				return true;
			}
		}
		return false;
	}

	private static int compare(long high, long low, long otherHigh, long otherLow) {
		int order = Long.compareUnsigned(high, otherHigh);
		return (order != 0) ? order : Long.compareUnsigned(low, otherLow);
	}

}
