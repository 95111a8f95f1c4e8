// The moving shapes, drawn as the animation of `simulate --animate` draws them.
import {
  BoxGeometry, Color, CylinderGeometry, DirectionalLight, HemisphereLight, Mesh, MeshLambertMaterial, OrthographicCamera,
  Scene, SphereGeometry, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Names } from "./names.js";
import { rowAt } from "./time.js";

// Unit shapes: along x from 0 to 1, and from -1/2 to 1/2 in y and z.
const UNIT = {
  box: new BoxGeometry(1, 1, 1).translate(0.5, 0, 0),
  cylinder: new CylinderGeometry(0.5, 0.5, 1, 48).rotateZ(-Math.PI / 2).translate(0.5, 0, 0),
  sphere: new SphereGeometry(0.5, 48, 32).translate(0.5, 0, 0),
};

/** Draws scenes on a canvas. */
export class Stage {
  constructor(canvas) {
    this.canvas = canvas;
    this.renderer = new WebGLRenderer({ canvas, antialias: true });
    this.renderer.setClearColor(0xffffff);
    this.world = new Scene();
    this.camera = new OrthographicCamera(-1, 1, 1, -1, 0, 20);
    this.light = new DirectionalLight(0xffffff, 2.2);
    // The light moves with the observer.
    this.camera.add(this.light, this.light.target);
    this.world.add(this.camera, new HemisphereLight(0xffffff, 0xbbbbbb, 1.4));
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.listenToKeyEvents(canvas);
    this.controls.addEventListener("change", () => this.render());
    this.meshes = [];
    this.names = new Names(canvas.parentElement);
    this.row = 0;
    new ResizeObserver(() => this.render()).observe(canvas);
  }

  /** Shows a scene; the camera stays where it is unless `reset` is true. */
  show(scene, reset) {
    this.meshes.forEach((mesh) => { this.world.remove(mesh); mesh.material.dispose(); });
    this.scene = scene;
    this.meshes = scene.bodies.map((body, i) => {
      // Where surfaces coincide, the later shape is seen.
      const offset = { polygonOffset: true, polygonOffsetFactor: -i, polygonOffsetUnits: -4 * i };
      const color = new Color(`rgb(${body.color.join()})`);
      const mesh = new Mesh(UNIT[body.kind], new MeshLambertMaterial({ color, ...offset }));
      mesh.matrixAutoUpdate = false;
      this.world.add(mesh);
      return mesh;
    });
    this.names.show(scene.labels);
    if (reset) this.look();
  }

  /** Looks at all that is ever seen of the scene. */
  look() {
    const { middle: [x, y, z], radius, view, light } = this.scene;
    this.radius = radius;
    this.camera.far = 20 * radius;
    this.camera.zoom = 1;
    this.camera.position.set(x + 10 * radius * view[0], y + 10 * radius * view[1], z + 10 * radius * view[2]);
    this.light.position.set(...light);
    this.controls.target.set(x, y, z);
    this.controls.update();
  }

  /** Draws the scene at a time. */
  draw(moment) {
    const { time, places } = this.scene;
    const row = this.row = rowAt(time, moment);
    this.meshes.forEach((mesh, i) => {
      const place = 12 * (i * time.length + row);
      const p = places.subarray(place, place + 12);
      mesh.matrix.set(p[0], p[3], p[6], p[9], p[1], p[4], p[7], p[10], p[2], p[5], p[8], p[11], 0, 0, 0, 1);
      mesh.matrixWorldNeedsUpdate = true;
    });
    this.render();
  }

  render() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!this.scene || !width || !height) return;
    const half = this.radius / 0.9 / Math.min(width, height);
    const { camera } = this;
    [camera.left, camera.right, camera.top, camera.bottom] = [-half * width, half * width, half * height, -half * height];
    camera.updateProjectionMatrix();
    this.renderer.setPixelRatio(window.devicePixelRatio || 1);
    this.renderer.setSize(width, height, false);
    this.renderer.render(this.world, camera);
    const { time, places, bodies } = this.scene;
    this.names.draw((label) => {
      const at = 3 * (time.length * (4 * bodies.length + label) + Math.min(this.row, time.length - 1));
      const { x, y } = new Vector3().fromArray(places, at).project(camera);
      return [(x + 1) / 2 * width, (1 - y) / 2 * height];
    });
  }
}
