package dev.ratelimit.engine;

import dev.ratelimit.DecisionListener;

/**
 * Internal: a listener of ours, which never blocks and may be called by the thread that
 * decides. Listeners of the application are called by a thread of their own.
 */
public interface InlineListener extends DecisionListener {

}
