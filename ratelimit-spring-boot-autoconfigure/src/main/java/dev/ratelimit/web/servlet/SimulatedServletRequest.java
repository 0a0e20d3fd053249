package dev.ratelimit.web.servlet;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.web.SimulatedRequest;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.MappingMatch;
import org.jspecify.annotations.Nullable;

import org.springframework.util.MultiValueMap;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * A servlet request that nobody has sent, with as much as handler mappings look at.
 * Whatever else is asked of it is absent.
 */
final class SimulatedServletRequest implements InvocationHandler {

	private final SimulatedRequest request;

	private final String path;

	private final Map<String, List<String>> parameters;

	private final Map<Object, Object> attributes = new HashMap<>();

	private SimulatedServletRequest(SimulatedRequest request, String prefix) {
		this.request = request;
		this.path = request.path().substring(prefix.length());
		MultiValueMap<String, String> query = UriComponentsBuilder.newInstance()
			.query(request.query())
			.build()
			.getQueryParams();
		this.parameters = query;
	}

	/**
	 * A request to the dispatcher.
	 * @param request the request
	 * @param prefix the dispatcher's path, which is left out
	 * @return the request as the dispatcher would see it at the root
	 */
	static HttpServletRequest of(SimulatedRequest request, String prefix) {
		return (HttpServletRequest) Proxy.newProxyInstance(SimulatedServletRequest.class.getClassLoader(),
				new Class<?>[] { HttpServletRequest.class }, new SimulatedServletRequest(request, prefix));
	}

	@Override
	public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) {
		Object first = (arguments != null && arguments.length > 0) ? arguments[0] : "";
		return switch (method.getName()) {
			case "getMethod" -> this.request.method();
			case "getRequestURI", "getServletPath" -> this.path;
			case "getContextPath" -> "";
			case "getQueryString" -> this.request.query();
			case "getHttpServletMapping" -> new Root();
			case "getDispatcherType" -> DispatcherType.REQUEST;
			case "getRemoteAddr" -> this.request.remoteAddress();
			case "getUserPrincipal" -> this.request.principal().orElse(null);
			case "getHeader" -> this.request.header((String) first).orElse(null);
			case "getHeaders" -> Collections.enumeration(this.request.headers((String) first));
			case "getHeaderNames" -> Collections.enumeration(this.request.headers().keySet());
			case "getContentType" -> this.request.header("Content-Type").orElse(null);
			case "getParameter" -> parameter(first);
			case "getParameterMap" -> this.parameters;
			case "getParameterValues" -> values(first);
			case "getParameterNames" -> Collections.enumeration(this.parameters.keySet());
			case "getAttribute" -> this.attributes.get(first);
			case "getAttributeNames" -> Collections.enumeration(this.attributes.keySet());
			case "setAttribute" -> this.attributes.put(first, (arguments != null) ? arguments[1] : "");
			case "removeAttribute" -> this.attributes.remove(first);
			case "hashCode" -> System.identityHashCode(proxy);
			case "equals" -> proxy == first;
			case "toString" -> "simulated " + this.request.method() + " " + this.request.path();
			default -> absent(method.getReturnType());
		};
	}

	private @Nullable String parameter(Object name) {
		List<String> values = this.parameters.get(name);
		return (values != null) ? values.get(0) : null;
	}

	private String @Nullable [] values(Object name) {
		List<String> values = this.parameters.get(name);
		return (values != null) ? values.toArray(String[]::new) : null;
	}

	private static @Nullable Object absent(Class<?> type) {
		if (type == boolean.class) {
			return false;
		}
		if (type == long.class) {
			return -1L;
		}
		return (type == int.class) ? (Object) (-1) : null;
	}

	private record Root() implements HttpServletMapping {

		@Override
		public String getMatchValue() {
			return "";
		}

		@Override
		public String getPattern() {
			return "/";
		}

		@Override
		public String getServletName() {
			return "dispatcherServlet";
		}

		@Override
		public MappingMatch getMappingMatch() {
			return MappingMatch.DEFAULT;
		}

	}

}
