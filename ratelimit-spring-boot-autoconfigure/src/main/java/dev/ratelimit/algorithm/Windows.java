package dev.ratelimit.algorithm;

/**
 * Cuts time into windows that follow one another. Thread-safe.
 */
interface Windows {

	/**
	 * When the window of a time closes.
	 * @param atMillis the time
	 * @return the first time that is in the next window
	 */
	long closesMillis(long atMillis);

	/**
	 * Whether a time is in the window that closes then. Windows beyond the next need not
	 * be known.
	 * @param closesMillis when the window closes
	 * @param atMillis the time
	 * @param nowMillis the caller's time
	 * @return whether the window holds the time
	 */
	boolean holds(long closesMillis, long atMillis, long nowMillis);

	/**
	 * How long a window is at most.
	 * @return the length
	 */
	long longestMillis();

	/**
	 * What Lua needs to find the windows.
	 * @param nowMillis the caller's time
	 * @return the numbers; the same array as long as they do not change
	 */
	long[] luaArguments(long nowMillis);

}
