package dev.ratelimit.web.servlet;

import java.util.concurrent.TimeUnit;

import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.gate.WaitingThreads;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;

/**
 * Internal: where requests wait that a limit holds, each on its own thread. It has a
 * bounded number of places, so that waiting cannot take up all threads of the server.
 * Thread-safe.
 */
public final class RequestDelayer {

	private final WaitingThreads places;

	/**
	 * A waiting room.
	 * @param places how many requests may wait at a time, at least 0
	 */
	public RequestDelayer(int places) {
		this.places = new WaitingThreads(places);
	}

	// Whether there is a place, which the wait gives back.
	boolean enter() {
		return this.places.enter();
	}

	/**
	 * The chain behind a wait.
	 * @param progress says how long
	 * @param chain the chain
	 * @return the chain to go on with, after {@link #enter}
	 */
	FilterChain waiting(RequestProgress progress, FilterChain chain) {
		return (request, response) -> {
			try {
				TimeUnit.NANOSECONDS.sleep(progress.hold().leftNanos());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new ServletException("interrupted while a rate limit delayed the request", ex);
			}
			finally {
				this.places.leave();
			}
			chain.doFilter(request, response);
		};
	}

	/**
	 * Wait for the turn of a request.
	 * @param waiting the request
	 * @return how far it has come then
	 * @throws ServletException if the thread is interrupted
	 */
	RequestProgress turn(RequestProgress waiting) throws ServletException {
		try {
			return this.places.turn(waiting);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new ServletException("interrupted while the request waited for its turn", ex);
		}
	}

}
