package dev.ratelimit.store;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * Internal: the parts of a store that fail each on their own: its one server, or each
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
	 * Find out whether a node works, by what real requests do, and make a new connection
	 * if the one there is does not respond. May block, so it runs on a thread of its own.
	 * @param node the node's name
	 * @param timeout how long a result may take
	 * @throws StoreException if the node does not work
	 */
	void check(String node, Duration timeout);

	/**
	 * The threads on which answers of the nodes arrive. How long they take to run a task
	 * shows how long a result waits to be read. Does not block.
	 * @return the threads as executors, none if there are none
	 */
	default Collection<? extends Executor> replyThreads() {
		return List.of();
	}

}
