// How much of the window's foot a bar that sticks there takes: what floats stands above it.

import { useLayoutEffect } from "preact/hooks";

export function useFoot(bar) {
  useLayoutEffect(() => {
    const root = document.documentElement;
    const measure = () => {
      const sticks = getComputedStyle(bar.current).position === "sticky";
      root.style.setProperty("--foot", `${sticks ? bar.current.offsetHeight : 0}px`);
    };
    const watch = new ResizeObserver(measure);
    watch.observe(bar.current);
    addEventListener("resize", measure); // a low window lets go of it without a change of size
    return () => {
      watch.disconnect();
      removeEventListener("resize", measure);
      root.style.removeProperty("--foot");
    };
  }, []);
}
