package dev.ratelimit.web.servlet;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;

/**
 * Internal: reports the end of requests after their error pages, for which filters are
 * not called. Thread-safe.
 */
final class RequestEndListener implements ServletRequestListener, ServletContextListener {

	@Override
	public void contextInitialized(ServletContextEvent event) {
		ServletCompletion.listen(event.getServletContext());
	}

	@Override
	public void requestDestroyed(ServletRequestEvent event) {
		ServletProgress progress = ServletProgress.find(event.getServletRequest());
		ServletCompletion completion = (progress != null) ? progress.completion() : null;
		if (completion != null) {
			completion.destroyed(event.getServletRequest());
		}
	}

}
