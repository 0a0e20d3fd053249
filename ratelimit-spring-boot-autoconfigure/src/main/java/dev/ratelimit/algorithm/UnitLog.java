package dev.ratelimit.algorithm;

import java.util.Arrays;

/**
 * Times in ascending order within one array: two numbers for where they begin and end,
 * then the times. Room is made so that adding costs the same on average, however many
 * there are.
 */
final class UnitLog {

	private static final int FIRST = 0;

	private static final int END = 1;

	private static final int HEAD = 2;

	private UnitLog() {
	}

	static long newest(long[] log) {
		return log[(int) log[END] - 1];
	}

	static boolean isEmpty(long[] log) {
		return log.length == 0 || log[FIRST] == log[END];
	}

	// The index of the first entry above a time.
	static int above(long[] log, long time) {
		int low = (int) log[FIRST];
		int high = (int) log[END];
		while (low < high) {
			int middle = (low + high) >>> 1;
			if (log[middle] > time) {
				high = middle;
			}
			else {
				low = middle + 1;
			}
		}
		return low;
	}

	static int countAbove(long[] log, long time) {
		return (log.length == 0) ? 0 : (int) log[END] - above(log, time);
	}

	static void dropThrough(long[] log, long time) {
		if (log.length > 0) {
			log[FIRST] = above(log, time);
		}
	}

	// What is above a time is as if it had come then.
	static void cut(long[] log, long time) {
		Arrays.fill(log, above(log, time), (int) log[END], time);
	}

	static long[] add(long[] log, long time, int count) {
		long[] next = withRoom(log, count);
		int at = above(next, time);
		int end = (int) next[END];
		System.arraycopy(next, at, next, at + count, end - at);
		Arrays.fill(next, at, at + count, time);
		next[END] = end + count;
		return next;
	}

	static void remove(long[] log, long time, long count) {
		int high = above(log, time);
		int low = above(log, time - 1);
		int removed = (int) Math.min(count, high - low);
		int end = (int) log[END];
		System.arraycopy(log, high, log, high - removed, end - high);
		log[END] = end - removed;
	}

	// Moves entries only when that makes room for as many as are moved.
	private static long[] withRoom(long[] log, int count) {
		if (log.length == 0) {
			return moved(log, new long[HEAD + 2 * count], 0);
		}
		int first = (int) log[FIRST];
		int size = (int) log[END] - first;
		if (log[END] + count <= log.length) {
			return log;
		}
		boolean reuse = first - HEAD >= size && HEAD + size + count <= log.length;
		return moved(log, (reuse) ? log : new long[HEAD + 2 * (size + count)], size);
	}

	private static long[] moved(long[] from, long[] into, int size) {
		if (size > 0) {
			System.arraycopy(from, (int) from[FIRST], into, HEAD, size);
		}
		into[FIRST] = HEAD;
		into[END] = HEAD + size;
		return into;
	}

}
