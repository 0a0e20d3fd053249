package dev.ratelimit.algorithm;

/**
 * Divides time into consecutive windows. Thread-safe.
 */
interface Windows {

	/**
	 * Return the time at which a window closes that opens for a unit.
	 * @param atMillis the time of the unit
	 * @param formerMillis the time at which the previous window closed, 0 if there was
	 * none
	 * @return the first time that is in the next window
	 */
	long closesMillis(long atMillis, long formerMillis);

	/**
	 * Return the latest time at which an open window may close. A window that closes
	 * later is from before the clock was set back.
	 * @param nowMillis the time
	 * @return the time
	 */
	long lastMillis(long nowMillis);

	/**
	 * Whether a window contains a time. Only the current window and the next one need to
	 * be supported.
	 * @param closesMillis the time at which the window closes
	 * @param atMillis the time
	 * @param nowMillis the time of this instance
	 * @return whether the window holds the time
	 */
	boolean holds(long closesMillis, long atMillis, long nowMillis);

	/**
	 * Whether the open window was also open at an earlier time.
	 * @param closesMillis the time at which the window closes
	 * @param atMillis the earlier time
	 * @param nowMillis the time
	 * @return whether no window has closed since
	 */
	boolean reaches(long closesMillis, long atMillis, long nowMillis);

	/**
	 * Return the maximum length of a window.
	 * @return the length in milliseconds
	 */
	long longestMillis();

	/**
	 * Return the numbers that Lua needs to find the windows.
	 * @param nowMillis the time of this instance
	 * @return the numbers; the same array as long as they do not change
	 */
	long[] luaArguments(long nowMillis);

}
