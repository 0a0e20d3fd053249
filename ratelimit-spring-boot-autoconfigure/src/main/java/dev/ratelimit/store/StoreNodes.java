package dev.ratelimit.store;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * Internal: the nodes of a store, which fail independently: its only server, or each
 * master of a cluster. Thread-safe.
 */
public interface StoreNodes {

	/**
	 * The node that a bucket is on. Does not block.
	 * @param bucket the bucket
	 * @return the node's name, for operators
	 */
	String nodeOf(Bucket bucket);

	/**
	 * The nodes that are known to hold buckets. Does not block.
	 * @return their names, at least one
	 */
	Set<String> nodes();

	/**
	 * Check a node with the commands of real requests, and create a new connection if the
	 * current one does not respond. May block, so it runs on a separate thread.
	 * @param node the node's name
	 * @param timeout the maximum time of the check
	 * @throws StoreException if the check fails
	 */
	void check(String node, Duration timeout);

	/**
	 * Whether a node has a connection, as far as is known. Without requests, the loss of
	 * the connection is the only sign that a node has ended. Does not block.
	 * @param node the node's name
	 * @return false if the connection was lost
	 */
	default boolean isConnected(String node) {
		return true;
	}

	/**
	 * Return the threads that receive the responses of the nodes. The time that they take
	 * to run a task shows how long a response waits to be read. Does not block.
	 * @return the threads as executors, possibly none
	 */
	default Collection<? extends Executor> replyThreads() {
		return List.of();
	}

}
