package dev.ratelimit.web.servlet;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;

/**
 * Internal: reports the end of requests after their error pages, which no filter sees.
 * Thread-safe.
 */
public final class RequestEndListener implements ServletRequestListener, ServletContextListener {

	private static final String LISTENING = RequestEndListener.class.getName();

	static boolean isListening(ServletRequest request) {
		return request.getServletContext().getAttribute(LISTENING) != null;
	}

	@Override
	public void contextInitialized(ServletContextEvent event) {
		event.getServletContext().setAttribute(LISTENING, true);
	}

	@Override
	public void requestDestroyed(ServletRequestEvent event) {
		ServletCompletion.destroyed(event.getServletRequest());
	}

}
