@NullMarked
package dev.ratelimit.web.servlet;

import org.jspecify.annotations.NullMarked;
