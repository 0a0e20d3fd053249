package dev.ratelimit.test.browser;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that is handed a {@link TestBrowser}. Where {@code chromium} and
 * {@code chromedriver} are not on the path it does not run, or fails with
 * {@code -Dtest.browser=required}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Tag("long")
@ExtendWith(BrowserExtension.class)
public @interface BrowserTest {

}
